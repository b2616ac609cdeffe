import DeepLinkCore
import DeepLinkStoring

/// A change that the store is asked for, as it waits for its transaction.
enum Change: Sendable {
    case save([UserStateWrite])
    case remove(UserStateRemoval)
    case keep(KeptAnswer, RepeatableRequest)
    case bind(ContinuationID, UserID, until: Timestamp, at: Timestamp)
    case spend(ContinuationID)
    case add(ServiceToken)
    case revoke(ServiceTokenID, at: Timestamp)

    /// The number of rows of users that it changes, or so.
    var size: Int { if case .save(let writes) = self { writes.count } else { 1 } }

    /// The users whose states are read for it.
    var users: [UserID] {
        switch self {
        case .save(let writes): writes.map(\.id)
        case .remove(let removal): [removal.id]
        default: []
        }
    }

    /// The requests whose answers are read for it.
    var requests: [RepeatableRequest] {
        switch self {
        case .save(let writes): writes.compactMap(\.keeping?.request)
        case .remove(let removal): removal.keeping.map { [$0.request] } ?? []
        case .keep(_, let request): [request]
        default: []
        }
    }

    /// The continuation that is read for it.
    var continuation: ContinuationID? {
        switch self {
        case .bind(let id, _, _, _), .spend(let id): id
        default: nil
        }
    }
}

/// What has come of a change.
enum ChangeOutcome: Sendable {
    case saved([Result<SavedUserState, UserStateWriteError>])
    case removed(Result<Bool, UserStateWriteError>)
    case kept(KeptAnswer)
    case bound(ContinuationStanding)
    case spent(Bool)
    case done(Bool)
}
