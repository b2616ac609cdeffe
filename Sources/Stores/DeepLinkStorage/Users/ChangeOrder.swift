package import DeepLinkCore

/// The order of the changes of one user, by the times that their authors give.
///
/// Events may arrive late, and out of order: a change older than the stored state has no effect. A change without a time
/// of its own follows all known ones, independent of the clock. A stored time further ahead of the clock than authors may
/// give was written while a clock was ahead; it carries no order, and counts as the present (decision record 17).
package enum ChangeOrder {
    /// The most milliseconds that a moment may lie ahead of the clock: clocks differ.
    package static let maximumLead: Int64 = 300_000

    /// Finds the moment as of which a change counts.
    ///
    /// Against a stored moment that is too far ahead, a change that names a moment counts unless that is older than the
    /// present by more than clocks differ: an event of now is some milliseconds old once it arrives.
    ///
    /// - Parameters:
    ///   - asOf: the moment that its author names.
    ///   - time: when the change is made.
    ///   - last: the moment as of which the present state counts, or its deletion; `nil` for a user never set.
    /// - Returns: the moment; `nil` if the change is older than the stored state.
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
