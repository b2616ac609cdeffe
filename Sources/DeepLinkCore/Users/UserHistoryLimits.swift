/// The bounds of what a store keeps of one user's history.
///
/// The newest change is kept whatever they are, since versions go on from it. Older ones go with a later change of the
/// same user, a few at a time.
public struct UserHistoryLimits: Hashable, Sendable {
    /// The most changes that are kept of one user, at least 1.
    public let maximumCount: Int

    /// The age from which on a change is dropped, in milliseconds; `nil` for none.
    public let maximumAge: Int64?

    /// Creates bounds; a count below 1 counts as 1, and an age below 0 as 0.
    public init(maximumCount: Int = 1000, maximumAge: Int64? = nil) {
        self.maximumCount = max(maximumCount, 1)
        self.maximumAge = maximumAge.map { max($0, 0) }
    }

    /// Finds what of a user's history is dropped when a change is made.
    ///
    /// It is dropped from the oldest on; where one change is to stay, those after it stay as well.
    ///
    /// - Parameters:
    ///   - oldest: the oldest changes, in the order of their versions.
    ///   - newest: the version that is being made.
    ///   - time: the moment of the change.
    /// - Returns: the version up to which all is dropped; `nil` for nothing.
    public func end(oldest: some Sequence<UserChange>, newest: Int, at time: Timestamp) -> Int? {
        var end: Int?
        for change in oldest where change.version < newest {
            let isSurplus = newest - change.version >= maximumCount
            guard isSurplus || isOld(change, at: time) else { break }
            end = change.version
        }
        return end
    }

    private func isOld(_ change: UserChange, at time: Timestamp) -> Bool {
        guard let maximumAge else { return false }
        let (age, overflow) = time.millisecondsSinceEpoch.subtractingReportingOverflow(change.at.millisecondsSinceEpoch)
        return overflow ? change.at < time : age > maximumAge
    }
}
