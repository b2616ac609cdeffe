package import DeepLinkCore

/// The limits of one user's history in a store.
///
/// The newest change is kept under all limits, since versions continue from it. Older ones are deleted with a later
/// change of the same user, a few at a time.
package struct UserHistoryLimits: Hashable, Sendable {
    /// The most changes that are kept of one user, at least 1.
    package let maximumCount: Int

    /// The age from which on a change is dropped, in milliseconds; `nil` for none.
    package let maximumAge: Int64?

    /// Creates bounds; a count below 1 counts as 1, and an age below 0 as 0.
    package init(maximumCount: Int = 1000, maximumAge: Int64? = nil) {
        self.maximumCount = max(maximumCount, 1)
        self.maximumAge = maximumAge.map { max($0, 0) }
    }

    /// Finds the part of a user's history that is dropped when a change is made.
    ///
    /// The oldest are dropped first; the changes after one that is kept are kept as well.
    ///
    /// - Parameters:
    ///   - oldest: the versions and times of the oldest changes, in their order.
    ///   - newest: the version that is being made.
    ///   - time: the moment of the change.
    /// - Returns: the version up to which all is dropped; `nil` for nothing.
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
