import DeepLinkCore
import DeepLinkStorage
import Synchronization
import WaymarkTestSupport

/// A store whose grants have to be waited for, and may be out of date, as those of a database.
final class RemoteStore: UserStateStore {
    /// Stands for a database that is lost.
    private struct Lost: Error {}

    private let held: InMemoryUserStateStore
    private let isStale: Bool
    private let isSlow: Bool
    private let state = Mutex((questions: [@Sendable (_ isLost: Bool) -> Void](), answers: [Bool]()))

    /// Creates a store that tells from a task of its own, or if it is slow, when a test says so.
    init(_ held: InMemoryUserStateStore = InMemoryUserStateStore(), isStale: Bool = false, isSlow: Bool = false) {
        self.held = held
        self.isStale = isStale
        self.isSlow = isSlow
    }

    /// The number of waiting questions.
    var questionCount: Int { state.withLock { $0.questions.count } }

    /// Tells what the oldest question waits for, or the next one if none does, or that it cannot be told.
    func complete(isLost: Bool = false) {
        let question = state.withLock { state in
            if state.questions.isEmpty { state.answers.append(isLost) }
            return state.questions.isEmpty ? nil : state.questions.removeFirst()
        }
        question?(isLost)
    }

    var tellsStaleAccess: Bool { isStale }

    func access(of id: UserID, atLeast version: Int) throws -> DeepLinkStorage.Answer<AccessLookupResult> {
        .waiting { [self] in
            if isSlow {
                let isLost = await withCheckedContinuation { continuation in
                    let answer = state.withLock { state -> Bool? in
                        if !state.answers.isEmpty { return state.answers.removeFirst() }
                        state.questions.append { continuation.resume(returning: $0) }
                        return nil
                    }
                    if let answer { continuation.resume(returning: answer) }
                }
                if isLost { throw Lost() }
            }
            return find(id, version)
        }
    }

    private func find(_ id: UserID, _ version: Int) -> AccessLookupResult {
        let finding = held.lookup(of: id, atLeast: version)
        guard isStale, case .current(let grant) = finding else { return finding }
        return .stale(grant)
    }

    func state(of id: UserID) throws -> UserState? { try held.state(of: id) }
    func states(after id: UserID?, limit: Int) throws -> [UserState] { try held.states(after: id, limit: limit) }
    func history(of id: UserID, after version: Int, limit: Int) throws -> [UserChange] {
        try held.history(of: id, after: version, limit: limit)
    }
    func make<Outcome: Sendable>(_ change: StoreChange<Outcome>) async throws -> Outcome { try await held.make(change) }
    func answer(to request: KeyedRequest) throws -> StoredResponse? { try held.answer(to: request) }
    func checkUsable() throws {}
}
