package import DeepLinkCore

/// A change requested of a store.
package enum StoreChange: Sendable {
    /// Replaces the states of users, each independently.
    case save([UserStateWrite])

    /// Changes a grant of a user.
    case grant(GrantWrite)

    /// Deletes or erases a user.
    case remove(UserStateRemoval)

    /// Stores a response without another change.
    case keep(KeptAnswer, to: RepeatableRequest)

    /// Binds a continuation to the first user who redeems it.
    case bind(ContinuationID, to: UserID, until: Timestamp, at: Timestamp)

    /// Spends a continuation that is bound.
    case spend(ContinuationID)

    /// Adds a service token.
    case add(ServiceToken)

    /// Revokes a service token.
    case revoke(ServiceTokenID, at: Timestamp)

    /// Makes or replaces short links, each independently.
    case saveLinks([ShortLinkDraft])

    /// Withdraws a short link.
    case withdrawLink(ShortLinkRemoval)

    /// The approximate number of rows of users or short links that the change writes.
    package var size: Int {
        switch self {
        case .save(let writes): writes.count
        case .saveLinks(let drafts): drafts.count
        default: 1
        }
    }

    /// The users whose records the change needs in the ledger.
    package var users: [UserID] {
        switch self {
        case .save(let writes): writes.map(\.id)
        case .grant(let write): [write.id]
        case .remove(let removal): [removal.id]
        default: []
        }
    }

    /// The users whose audit log names the change needs in the ledger.
    package var namedUsers: [UserID] {
        switch self {
        case .save(let writes): writes.filter(\.isAudited).map(\.id)
        case .grant(let write): write.isAudited ? [write.id] : []
        case .remove(let removal): removal.isAudited || removal.isErasure ? [removal.id] : []
        case .saveLinks(let drafts): drafts.filter(\.write.isAudited).compactMap(\.write.contents.about)
        default: []
        }
    }

    /// The short links with users whose audit log names the change needs in the ledger, in addition to ``namedUsers``.
    package var namedLinks: [ShortLinkCode] {
        switch self {
        case .saveLinks(let drafts): drafts.filter { $0.write.isAudited && !$0.isDrawn }.map(\.code)
        case .withdrawLink(let removal): removal.isAudited ? [removal.code] : []
        default: []
        }
    }

    /// The requests with stored responses that the change needs in the ledger.
    package var requests: [RepeatableRequest] {
        switch self {
        case .save(let writes): writes.compactMap(\.keeping?.request)
        case .grant(let write): write.keeping.map { [$0.request] } ?? []
        case .remove(let removal): removal.keeping.map { [$0.request] } ?? []
        case .saveLinks(let drafts): drafts.compactMap(\.write.keeping?.request)
        case .withdrawLink(let removal): removal.keeping.map { [$0.request] } ?? []
        case .keep(_, let request): [request]
        default: []
        }
    }

    /// The continuation with the redemption that the change needs in the ledger.
    package var continuation: ContinuationID? {
        switch self {
        case .bind(let id, _, _, _), .spend(let id): id
        default: nil
        }
    }
}

/// The outcome of a ``StoreChange``.
package enum StoreChangeOutcome: Sendable {
    /// The outcome of each write.
    case saved([Result<SavedUserState, UserStateWriteError>])

    /// The outcome of the change of a grant.
    case granted(Result<SavedGrant, UserStateWriteError>)

    /// The outcome of a deletion.
    case removed(Result<RemovedUserState, UserStateWriteError>)

    /// The response that is stored under the key.
    case kept(KeptAnswer)

    /// The state of a continuation for the user.
    case bound(ContinuationStanding)

    /// Whether a continuation was unspent.
    case spent(Bool)

    /// A service token was added.
    case added(Void)

    /// Whether the service token exists.
    case revoked(Bool)

    /// The outcome of each write of a short link.
    case savedLinks([Result<SavedShortLink, ShortLinkLedger.Refusal>])

    /// The withdrawn short link, or `nil` if there was none.
    case withdrawn(Result<SavedShortLink?, ShortLinkWriteError>)
}
