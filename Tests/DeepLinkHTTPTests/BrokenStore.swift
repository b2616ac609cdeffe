import DeepLinkCore
import DeepLinkStorage
import WaymarkTestSupport

/// Stands for a disk that does not answer.
struct BrokenStore: UserStateStore {
    private struct Broken: Error {}

    func state(of id: UserID) throws -> UserState? { throw Broken() }
    func access(of id: UserID) throws -> UserAccess? { throw Broken() }
    func access(of id: UserID, atLeast version: Int) throws -> DeepLinkStorage.Answer<AccessLookup> { throw Broken() }

    func states(after id: UserID?, limit: Int) throws -> [UserState] { throw Broken() }
    func history(of id: UserID, after version: Int, limit: Int) throws -> [UserChange] { throw Broken() }
    func save(_ write: UserStateWrite) async throws -> SavedUserState {
        // It was lost too late to say.
        if write.id.text.bytewise == "lost" { throw WriteOutcomeUnknownError("no answer to the commit") }
        throw Broken()
    }
    func saveEach(_ writes: [UserStateWrite]) async throws -> [Result<SavedUserState, UserStateWriteError>] {
        throw Broken()
    }

    func save(_ write: GrantWrite) async throws -> SavedGrant { throw Broken() }

    func apply(_ removal: UserStateRemoval) async throws -> RemovedUserState { throw Broken() }
    func answer(to request: RepeatableRequest) throws -> KeptAnswer? { throw Broken() }
    func keep(_ answer: KeptAnswer, to request: RepeatableRequest) async throws -> KeptAnswer { throw Broken() }
    func checkUsable() throws { throw Broken() }
}
