package import DeepLinkCore

/// The effective times of a user without a state, in the columns of a row, with the time of writing.
///
/// They are stored for 30 days, or as long as a history if that is longer. Their number is limited, and the oldest are
/// deleted first.
package struct StoredTimestamps: Hashable, Sendable {
    /// The maximum number of rows.
    package static let maximumCount = 100_000

    /// The minimum time for which a row is stored, in milliseconds.
    private static let minimumAge: Int64 = 30 * 86_400_000

    /// The effective time of the level, in milliseconds since 1970, or `nil` if there is none.
    package let level: Int64?

    /// The effective times of grants as a column (`GrantsCoding`), or `nil` if there are none.
    package let grants: String?

    /// The time of writing.
    package let time: Timestamp

    /// The parsed effective times of the level and the grants.
    package let timestamps: AccessTimestamps

    /// Creates the row of effective times.
    package init(_ timestamps: AccessTimestamps, at time: Timestamp) {
        self.timestamps = timestamps
        self.time = time
        level = timestamps.level?.millisecondsSinceEpoch
        grants = GrantsCoding.text(of: UserAccess(level: .unwritten), timestamps)
    }

    /// Parses the columns of a row, or returns `nil` for values that are never written.
    package init?(level: Int64?, grants: String?, at time: Timestamp) {
        guard level != nil || grants != nil, let contents = GrantsCoding.contents(grants), contents.held.isEmpty else {
            return nil
        }
        self.level = level
        self.grants = grants
        self.time = time
        timestamps = contents.timestamps(level: level.map(Timestamp.init(millisecondsSinceEpoch:)))
    }

    /// Returns the time before which rows are deleted.
    package static func horizon(at time: Timestamp, _ limits: UserHistoryLimits) -> Timestamp {
        let age = max(minimumAge, limits.maximumAge ?? 0)
        let (horizon, overflow) = time.millisecondsSinceEpoch.subtractingReportingOverflow(age)
        return Timestamp(millisecondsSinceEpoch: overflow ? .min : horizon)
    }
}
