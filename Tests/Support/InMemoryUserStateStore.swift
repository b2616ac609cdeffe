package import DeepLinkCore
import Synchronization

/// A store of user states in memory until the process ends: for trying things out, and for tests.
package final class InMemoryUserStateStore: UserStateStore {
    /// What keeps a user who was erased from coming back with a version that there was.
    private struct Erased {
        let version: Int
        let asOf: Timestamp
    }

    private struct Contents {
        var states: [UserID: UserState] = [:]
        var history: [UserID: [UserChange]] = [:]
        var erased: [UserID: Erased] = [:]
        var answers: [[ByteText]: (request: RepeatableRequest, answer: KeptAnswer)] = [:]

        /// The last version of a user, and the moment as of which it counts.
        func last(of id: UserID) -> (version: Int, asOf: Timestamp)? {
            guard let change = history[id]?.last else { return erased[id].map { ($0.version, $0.asOf) } }
            return (change.version, states[id]?.asOf ?? change.asOf ?? change.at)
        }

        mutating func note(
            _ grant: LevelGrant?,
            of id: UserID,
            at time: Timestamp,
            asOf: Timestamp?,
            by author: String,
            _ limits: UserHistoryLimits
        ) -> Int {
            let version = (last(of: id)?.version ?? 0) + 1
            history[id, default: []]
                .append(UserChange(version: version, grant: grant, at: time, author: author, asOf: asOf))
            if let end = limits.end(oldest: history[id] ?? [], newest: version, at: time) {
                history[id]?.removeAll { $0.version <= end }
            }
            return version
        }

        func answer(to request: RepeatableRequest) -> KeptAnswer? {
            guard let (former, answer) = answers[request.name], former.time >= request.horizon else { return nil }
            return answer
        }

        mutating func keep<Outcome>(_ keeping: AnswerKeeping<Outcome>?, _ outcome: Outcome) {
            guard let keeping, let answer = keeping.answer(outcome) else { return }
            keep(answer, to: keeping.request)
        }

        mutating func keep(_ answer: KeptAnswer, to request: RepeatableRequest) {
            answers[request.name] = (request, answer)
        }
    }

    private let contents = Mutex(Contents())

    private let limits: UserHistoryLimits
    private let continuations: InMemoryContinuationStore?

    /// Creates an empty store; an erasure reaches the continuations, too.
    package init(
        historyLimits: UserHistoryLimits = UserHistoryLimits(),
        continuations: InMemoryContinuationStore? = nil
    ) {
        limits = historyLimits
        self.continuations = continuations
    }

    package func state(of id: UserID) throws -> UserState? {
        contents.withLock { $0.states[id] }
    }

    package func grant(of id: UserID) throws -> LevelGrant? { try state(of: id)?.grant }

    package func grantAtHand(of id: UserID, atLeast version: Int) throws -> GrantFinding? {
        contents.withLock { contents in
            let last = contents.last(of: id)?.version ?? 0
            return GrantFinding(contents.states[id]?.grant, version: last, wanted: version)
        }
    }

    package func states(after id: UserID?, limit: Int) throws -> [UserState] {
        let all = contents.withLock { $0.states.values.map(\.self) }
        return Array(
            all.sorted { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) }
                .drop { state in id.map { !$0.text.utf8.lexicographicallyPrecedes(state.id.text.utf8) } ?? false }
                .prefix(limit)
        )
    }

    package func history(of id: UserID, after version: Int, limit: Int) throws -> [UserChange] {
        Array(contents.withLock { $0.history[id] ?? [] }.drop { $0.version <= version }.prefix(limit))
    }

    package func save(_ write: UserStateWrite) async throws -> SavedUserState {
        try contents.withLock { contents throws(UserStateWriteError) in try save(write, in: &contents) }
    }

    package func saveEach(_ writes: [UserStateWrite]) async throws -> [Result<SavedUserState, UserStateWriteError>] {
        contents.withLock { contents in
            writes.map { write in
                Result { () throws(UserStateWriteError) in try save(write, in: &contents) }
            }
        }
    }

    private func save(_ write: UserStateWrite, in contents: inout Contents) throws(UserStateWriteError)
        -> SavedUserState
    {
        if let answer = write.keeping.flatMap({ contents.answer(to: $0.request) }) { throw .answered(answer) }
        let existing = try Self.existing(write.id, write.precondition, in: contents)
        let last = contents.last(of: write.id)
        guard let moment = ChangeOrder.moment(asOf: write.asOf, at: write.time, after: last?.asOf) else {
            throw .superseded(by: existing)
        }
        var (version, updated) = (existing?.version ?? 0, existing?.updatedAt ?? write.time)
        if existing?.grant != write.grant {
            let asOf = moment == write.time && write.asOf == nil ? nil : moment
            updated = write.time
            version = contents.note(write.grant, of: write.id, at: updated, asOf: asOf, by: write.author, limits)
        }
        let state = UserState(id: write.id, grant: write.grant, version: version, updatedAt: updated, asOf: moment)
        contents.states[write.id] = state
        let saved = SavedUserState(state: state, isNew: existing == nil)
        contents.keep(write.keeping, saved)
        return saved
    }

    package func remove(_ removal: UserStateRemoval) async throws -> Bool {
        let isRemoved = try contents.withLock { contents in
            if let answer = removal.keeping.flatMap({ contents.answer(to: $0.request) }) {
                throw UserStateWriteError.answered(answer)
            }
            let existing = try Self.existing(removal.id, removal.precondition, in: contents)
            let last = contents.last(of: removal.id)
            if removal.isErasure {
                contents.answers = contents.answers.filter { $0.value.request.user != removal.id }
                guard contents.history.removeValue(forKey: removal.id) != nil, let last else { return false }
                contents.states[removal.id] = nil
                contents.erased[removal.id] = Erased(version: last.version, asOf: max(last.asOf, removal.time))
                return true
            }
            guard let moment = ChangeOrder.moment(asOf: removal.asOf, at: removal.time, after: last?.asOf) else {
                throw UserStateWriteError.superseded(by: existing)
            }
            guard existing != nil else { return false }
            contents.states[removal.id] = nil
            let asOf = moment == removal.time && removal.asOf == nil ? nil : moment
            _ = contents.note(nil, of: removal.id, at: removal.time, asOf: asOf, by: removal.author, limits)
            contents.keep(removal.keeping, ())
            return true
        }
        if removal.isErasure { continuations?.unbind(removal.id) }
        return isRemoved
    }

    package func answer(to request: RepeatableRequest) throws -> KeptAnswer? {
        contents.withLock { $0.answer(to: request) }
    }

    package func keep(_ answer: KeptAnswer, to request: RepeatableRequest) async throws -> KeptAnswer {
        contents.withLock { contents in
            if let former = contents.answer(to: request) { return former }
            contents.keep(answer, to: request)
            return answer
        }
    }

    package func checkUsable() throws {}

    private static func existing(
        _ id: UserID,
        _ precondition: UserStatePrecondition,
        in contents: Contents
    ) throws(UserStateWriteError) -> UserState? {
        let existing = contents.states[id]
        guard precondition.holds(for: existing?.version) else {
            throw UserStateWriteError.versionMismatch(current: existing?.version)
        }
        return existing
    }
}
