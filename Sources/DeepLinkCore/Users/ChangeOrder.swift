/// The order of the changes of one user, by the moments as of which their authors say that they count.
///
/// Events may come late, and in another order than they happened: what is older than what is known changes nothing. A
/// change without a moment of its own comes after all that are known, whatever the clock says.
public enum ChangeOrder {
    /// The most milliseconds that a moment may lie ahead of the clock: clocks differ.
    public static let maximumLead: Int64 = 300_000

    /// Finds the moment as of which a change counts.
    ///
    /// - Parameters:
    ///   - asOf: the moment that its author names.
    ///   - time: when the change is made.
    ///   - last: the moment as of which the present state counts, or its deletion; `nil` for a user never set.
    /// - Returns: the moment; `nil` where the change is older than what is known.
    public static func moment(asOf: Timestamp?, at time: Timestamp, after last: Timestamp?) -> Timestamp? {
        guard let asOf else { return last.map { max($0, time) } ?? time }
        if let last, asOf < last { return nil }
        return asOf
    }

    /// Returns whether a moment may be named at a time: it is not too far ahead.
    public static func allows(_ moment: Timestamp, at time: Timestamp) -> Bool {
        moment.millisecondsSinceEpoch - time.millisecondsSinceEpoch <= maximumLead
    }
}
