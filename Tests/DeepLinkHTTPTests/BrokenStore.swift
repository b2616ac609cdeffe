import DeepLinkCore
import DeepLinkStorage
import WaymarkTestSupport

/// Stands for a disk that does not answer.
struct BrokenStore: UserStateStore {
    private struct Broken: Error {}

    func state(of id: UserID) throws -> UserState? { throw Broken() }
    func access(of id: UserID, atLeast version: Int) throws -> DeepLinkStorage.Answer<AccessLookupResult> {
        throw Broken()
    }

    func states(after id: UserID?, limit: Int) throws -> [UserState] { throw Broken() }
    func history(of id: UserID, after version: Int, limit: Int) throws -> [UserChange] { throw Broken() }
    func make<Outcome: Sendable>(_ change: StoreChange<Outcome>) async throws -> Outcome {
        // It was lost too late to say.
        guard !change.needs.users.contains(where: { $0.text.bytewise == "lost" }) else {
            throw WriteOutcomeUnknownError("no answer to the commit")
        }
        throw Broken()
    }

    func answer(to request: KeyedRequest) throws -> StoredResponse? { throw Broken() }
    func checkUsable() throws { throw Broken() }
}
