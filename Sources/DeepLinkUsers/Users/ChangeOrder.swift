package import DeepLinkCore

/// The order of the changes of one user, by the moments as of which their authors say that they count.
///
/// Events may come late, and in another order than they happened: what is older than what is known changes nothing. A
/// change without a moment of its own comes after all that are known, whatever the clock says. A stored moment that lies
/// further ahead of the clock than any author may name was written while a clock was ahead; it says nothing of the order,
/// and counts as the present (decision record 17).
package enum ChangeOrder {
    /// The most milliseconds that a moment may lie ahead of the clock: clocks differ.
    package static let maximumLead: Int64 = 300_000

    /// Finds the moment as of which a change counts.
    ///
    /// Against a stored moment that is too far ahead, a change that names a moment counts unless that is older than the
    /// present by more than clocks differ: what happens now has always happened some milliseconds ago once it arrives.
    ///
    /// - Parameters:
    ///   - asOf: the moment that its author names.
    ///   - time: when the change is made.
    ///   - last: the moment as of which the present state counts, or its deletion; `nil` for a user never set.
    /// - Returns: the moment; `nil` where the change is older than what is known.
    package static func moment(asOf: Timestamp?, at time: Timestamp, after last: Timestamp?) -> Timestamp? {
        guard let last else { return asOf ?? time }
        let isAhead = !allows(last, at: time)
        guard let asOf else { return isAhead ? time : max(last, time) }
        let isLate = isAhead ? !allows(time, at: asOf) : asOf < last
        return isLate ? nil : asOf
    }

    /// Returns whether a moment may be named at a time: it is not too far ahead.
    package static func allows(_ moment: Timestamp, at time: Timestamp) -> Bool {
        // A stored moment may be any number; a difference that does not fit is larger than any lead.
        let (lead, isTooLarge) = moment.millisecondsSinceEpoch.subtractingReportingOverflow(time.millisecondsSinceEpoch)
        return isTooLarge ? moment < time : lead <= maximumLead
    }
}
