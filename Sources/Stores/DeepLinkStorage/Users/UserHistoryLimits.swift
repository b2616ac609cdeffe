package import DeepLinkCore

/// The limits of one user's history in a store.
///
/// The newest change always stays, since versions continue from it. Older ones are deleted with a later change of the
/// same user, a few at a time.
package struct UserHistoryLimits: Hashable, Sendable {
    /// The maximum number of stored changes of one user, at least 1.
    package let maximumCount: Int

    /// The age from which on a change is deleted, in milliseconds, or `nil` if there is none.
    package let maximumAge: Int64?

    /// Creates limits.
    ///
    /// A count below 1 becomes 1, and an age below 0 becomes 0.
    package init(maximumCount: Int = 1000, maximumAge: Int64? = nil) {
        self.maximumCount = max(maximumCount, 1)
        self.maximumAge = maximumAge.map { max($0, 0) }
    }

    /// Returns the version up to which changes are deleted when a new one is made, or `nil` to delete none.
    ///
    /// The oldest changes, given in their order, are deleted first. All changes after one that stays also stay.
    package func end(
        oldest: some Sequence<(version: Int, at: Timestamp)>,
        newest: Int,
        at time: Timestamp
    ) -> Int? {
        var end: Int?
        for change in oldest where change.version < newest {
            let isSurplus = newest - change.version >= maximumCount
            guard isSurplus || isOld(change.at, at: time) else { break }
            end = change.version
        }
        return end
    }

    private func isOld(_ change: Timestamp, at time: Timestamp) -> Bool {
        guard let maximumAge else { return false }
        let (age, overflow) = time.millisecondsSinceEpoch.subtractingReportingOverflow(change.millisecondsSinceEpoch)
        return overflow ? change < time : age > maximumAge
    }
}
