import DeepLinkCore
import DeepLinkUsers

extension LevelGrant {
    /// Reads the columns `level`, `valid_until` and `level_after`; `nil` for values that violate the schema's
    /// constraints.
    init?(rank: Int64, validUntil: Int64?, rankAfter: Int64?) {
        let after = rankAfter.map { AuthorizationLevel(rank: $0) }
        guard let level = AuthorizationLevel(rank: rank), after != .some(nil) else { return nil }
        self.init(
            level: level,
            validUntil: validUntil.map(Timestamp.init(millisecondsSinceEpoch:)),
            levelAfter: after ?? nil
        )
    }
}

extension AuthorizationLevel {
    /// Reads the stored rank.
    fileprivate init?(rank: Int64) {
        guard let rank = UInt8(exactly: rank) else { return nil }
        self.init(rawValue: rank)
    }
}
