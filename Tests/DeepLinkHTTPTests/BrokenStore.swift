import DeepLinkCore
import DeepLinkStorage
import WaymarkTestSupport

/// Stands for a disk that does not answer.
struct BrokenStore: UserStateStore {
    private struct Broken: Error {}

    func state(of id: UserID) throws -> UserState? { throw Broken() }
    func access(of id: UserID) throws -> UserAccess? { throw Broken() }
    func access(of id: UserID, atLeast version: Int) throws -> DeepLinkStorage.Answer<AccessLookupResult> {
        throw Broken()
    }

    func states(after id: UserID?, limit: Int) throws -> [UserState] { throw Broken() }
    func history(of id: UserID, after version: Int, limit: Int) throws -> [UserChange] { throw Broken() }
    func save(_ write: UserStateWrite) async throws -> UserStateWriteResult {
        // It was lost too late to say.
        if write.id.text.bytewise == "lost" { throw WriteOutcomeUnknownError("no answer to the commit") }
        throw Broken()
    }
    func saveEach(_ writes: [UserStateWrite]) async throws -> [Result<UserStateWriteResult, UserStateWriteError>] {
        throw Broken()
    }

    func save(_ write: GrantWrite) async throws -> GrantWriteResult { throw Broken() }

    func apply(_ removal: UserStateRemoval) async throws -> UserStateRemovalResult { throw Broken() }
    func answer(to request: KeyedRequest) throws -> StoredResponse? { throw Broken() }
    func keep(_ answer: StoredResponse, to request: KeyedRequest) async throws -> StoredResponse { throw Broken() }
    func checkUsable() throws { throw Broken() }
}
