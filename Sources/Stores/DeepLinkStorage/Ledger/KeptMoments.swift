package import DeepLinkCore

/// The moments that a store keeps of a user without a state, in the columns of a row, with the time of writing.
///
/// They are kept for 30 days, or as long as a history where that is longer, and in bounded number: the oldest go first.
package struct KeptMoments: Hashable, Sendable {
    /// The most rows.
    package static let maximumCount = 100_000

    /// The shortest time for which a row is kept, in milliseconds.
    private static let minimumAge: Int64 = 30 * 86_400_000

    /// The moment of the level, in milliseconds since 1970; `nil` for none.
    package let level: Int64?

    /// The moments of grants, as a column (`GrantsText`); `nil` for none.
    package let grants: String?

    /// The time of writing.
    package let time: Timestamp

    /// The moments.
    package let moments: AccessMoments

    /// Creates the row of moments.
    package init(_ moments: AccessMoments, at time: Timestamp) {
        self.moments = moments
        self.time = time
        level = moments.level?.millisecondsSinceEpoch
        grants = GrantsText.text(of: UserAccess(level: .unwritten), moments)
    }

    /// Reads the columns of a row; `nil` for ones that are never written.
    package init?(level: Int64?, grants: String?, at time: Timestamp) {
        guard level != nil || grants != nil, let contents = GrantsText.contents(grants), contents.held.isEmpty else {
            return nil
        }
        self.level = level
        self.grants = grants
        self.time = time
        moments = contents.moments(level: level.map(Timestamp.init(millisecondsSinceEpoch:)))
    }

    /// Returns the time before which rows are too old.
    package static func horizon(at time: Timestamp, _ limits: UserHistoryLimits) -> Timestamp {
        let age = max(minimumAge, limits.maximumAge ?? 0)
        let (horizon, overflow) = time.millisecondsSinceEpoch.subtractingReportingOverflow(age)
        return Timestamp(millisecondsSinceEpoch: overflow ? .min : horizon)
    }
}
