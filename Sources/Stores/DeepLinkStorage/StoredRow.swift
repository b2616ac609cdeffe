package import DeepLinkCore

/// A row of a store, as copied to another store.
package enum StoredRow: Hashable, Sendable {
    /// A user's state.
    case state(UserState)

    /// A change of a user.
    case change(UserID, UserChange)

    /// The effective times of a user without a state.
    case timestamps(UserID, StoredTimestamps)

    /// A continuation that a user has redeemed.
    case redemption(ContinuationID, UserID, end: Timestamp, isSpent: Bool)

    /// A service token.
    case token(ServiceToken)

    /// The stored response to a request with an idempotency key.
    case answer(StoredResponse, KeyedRequest)

    /// The remains of an erased user: a digest, the last version, and its effective time.
    case erased(digest: [UInt8], version: Int, asOf: Timestamp)

    /// A count of uses of links.
    case count(CountAddition)

    /// A short link with its current contents.
    case shortLink(ShortLink)

    /// A change in the history of a short link.
    case shortLinkChange(ShortLinkCode, ShortLinkChange)

    /// The remains of an erased short link: a digest.
    case erasedShortLink(digest: [UInt8])

    /// The audit log name of a user.
    case auditName(UserID, AuditName)

    /// The kinds of rows.
    package enum Kind: Sendable {
        case state, change, timestamps, redemption, token, answer, erased, count
        case shortLink, shortLinkChange, erasedShortLink, auditName
    }

    /// The kind of the row.
    package var kind: Kind {
        switch self {
        case .state: .state
        case .change: .change
        case .timestamps: .timestamps
        case .redemption: .redemption
        case .token: .token
        case .answer: .answer
        case .erased: .erased
        case .count: .count
        case .shortLink: .shortLink
        case .shortLinkChange: .shortLinkChange
        case .erasedShortLink: .erasedShortLink
        case .auditName: .auditName
        }
    }
}

/// The values that a store has beside its rows.
package struct StoreMetadata: Sendable {
    /// The key of the digests that replace erased users.
    package let erasureKey: [UInt8]

    /// The latest end of a deleted continuation.
    package let forgottenUntil: Timestamp

    /// The names of the levels of the catalog last in force, the lowest first.
    ///
    /// Empty if none were stored.
    package let levels: [LevelName]

    /// The writable grants of the catalog last in force, in its order.
    ///
    /// Empty if none were stored.
    package let grants: [GrantName]

    /// The renamings of levels.
    package let renames: [LevelRename]

    /// Creates the values.
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
