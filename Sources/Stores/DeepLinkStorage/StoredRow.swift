package import DeepLinkCore

/// A row of a store, for a move to another one.
package enum StoredRow: Sendable {
    /// A user's state.
    case state(UserState)

    /// A change of a user.
    case change(UserID, UserChange)

    /// The moments that are kept of a user without a state.
    case moments(UserID, KeptMoments)

    /// A continuation that a user has redeemed.
    case redemption(ContinuationID, UserID, end: Timestamp, isSpent: Bool)

    /// A service token.
    case token(ServiceToken)

    /// An answer to a request that may be sent again.
    case answer(KeptAnswer, RepeatableRequest)

    /// The remains of an erased user: a digest, the last version, and the moment as of which it counts.
    case erased(digest: [UInt8], version: Int, asOf: Timestamp)

    /// A count of uses of links.
    case count(CountAddition)

    /// A short link.
    case shortLink(ShortLink)

    /// A change of a short link.
    case shortLinkChange(ShortLinkCode, ShortLinkChange)

    /// The remains of an erased short link: a digest.
    case erasedShortLink(digest: [UInt8])

    /// The name of a user in the audit log.
    case auditName(UserID, AuditName)
}

/// The values that a store keeps beside its rows.
package struct StoredFacts: Sendable {
    /// The key of the digests that replace erased users.
    package let erasureKey: [UInt8]

    /// The latest end of a forgotten continuation.
    package let forgottenUntil: Timestamp

    /// The names of the levels of the last catalog, the lowest first; none if none were kept.
    package let levels: [LevelName]

    /// The grants that the last catalog lets be written, in its order; none if none were kept.
    package let grants: [GrantName]

    /// The names that levels have been given.
    package let renames: [LevelRename]

    /// Creates facts from their parts.
    package init(
        erasureKey: [UInt8],
        forgottenUntil: Timestamp,
        levels: [LevelName] = [],
        grants: [GrantName] = [],
        renames: [LevelRename] = []
    ) {
        self.erasureKey = erasureKey
        self.forgottenUntil = forgottenUntil
        self.levels = levels
        self.grants = grants
        self.renames = renames
    }
}
