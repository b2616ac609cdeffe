import DeepLinkCore
import DeepLinkStoring

/// The rows that a transaction has read and locked, and what its changes make of them, one after the other.
///
/// So a transaction takes two trips to the server, however many changes it holds.
struct WriteLedger {
    /// A user: as the database has it, then as the changes leave it.
    struct User {
        /// The state; `nil` for none.
        var state: UserState?

        /// The last version, and the moment as of which it counts; `nil` for a user never set.
        var last: (version: Int, asOf: Timestamp)?

        /// Whether there is a history, also a new one.
        var hasHistory: Bool

        /// Whether the database has a state.
        var wasThere = false

        /// Whether the state is not as it was.
        var isChanged = false

        /// Whether all that was kept is forgotten.
        var isErased = false

        /// The new rows of the history.
        var changes: [UserChange] = []

        /// Adds a row to the history.
        mutating func note(_ change: UserChange) {
            changes.append(change)
            hasHistory = true
            last = (change.version, change.asOf ?? change.at)
            isChanged = true
        }
    }

    /// An answer that is kept.
    struct Answer {
        let request: RepeatableRequest
        let answer: KeptAnswer

        /// Whether it is not in the database yet.
        let isNew: Bool
    }

    /// A continuation that somebody has redeemed.
    struct Redemption {
        let user: UserID
        let end: Timestamp
        var isSpent: Bool
        var isNew: Bool
        var isChanged = false
    }

    /// The bounds of what changes leave behind.
    let limits: UserHistoryLimits

    var users: [UserID: User] = [:]
    var answers: [[ByteText]: Answer] = [:]
    var redemptions: [ContinuationID: Redemption] = [:]

    /// The latest end of a continuation that was forgotten.
    var forgottenUntil = Timestamp(millisecondsSinceEpoch: .min)

    /// The continuations that are forgotten with this transaction.
    var ended: [(id: ContinuationID, end: Timestamp)] = []

    /// The service tokens, read where one is revoked.
    var tokens: [ServiceTokenID: Timestamp?] = [:]
    var newTokens: [ServiceToken] = []
    var revocations: [(id: ServiceTokenID, time: Timestamp)] = []

    /// Makes a change, after those before it.
    mutating func apply(_ change: Change) -> ChangeOutcome {
        switch change {
        case .save(let writes):
            return .saved(
                writes.map { write in
                    Result { () throws(UserStateWriteError) in try save(write) }
                }
            )
        case .remove(let removal): return .removed(Result { () throws(UserStateWriteError) in try remove(removal) })
        case .keep(let answer, let request):
            if let former = self.answer(to: request) { return .kept(former) }
            keep(answer, to: request)
            return .kept(answer)
        case .bind(let id, let user, let end, let time): return .bound(bind(id, to: user, until: end, at: time))
        case .spend(let id):
            guard var redemption = redemptions[id], !redemption.isSpent else { return .spent(false) }
            (redemption.isSpent, redemption.isChanged) = (true, true)
            redemptions[id] = redemption
            return .spent(true)
        case .add(let token):
            newTokens.append(token)
            return .done(true)
        case .revoke(let id, let time):
            guard let revoked = tokens[id] else { return .done(false) }
            if revoked == nil {
                revocations.append((id, time))
                tokens[id] = .some(time)
            }
            return .done(true)
        }
    }

    /// What decides the levels of the users that are not as they were.
    var levels: [UserLevelChange] {
        users.filter(\.value.isChanged)
            .map { UserLevelChange(user: $0.key, grant: $0.value.state?.grant, version: $0.value.last?.version ?? 0) }
    }

    // MARK: States

    private mutating func save(_ write: UserStateWrite) throws(UserStateWriteError) -> SavedUserState {
        if let answer = write.keeping.flatMap({ answer(to: $0.request) }) { throw .answered(answer) }
        var user = users[write.id] ?? User(hasHistory: false)
        let former = user.state
        guard write.precondition.holds(for: former?.version) else { throw .versionMismatch(current: former?.version) }
        guard let moment = ChangeOrder.moment(asOf: write.asOf, at: write.time, after: user.last?.asOf) else {
            throw .superseded(by: former)
        }
        let isSame = former.map { $0.grant == write.grant } ?? false
        let version = isSame ? former?.version ?? 1 : (user.last?.version ?? 0) + 1
        let state = UserState(
            id: write.id,
            grant: write.grant,
            version: version,
            updatedAt: isSame ? former?.updatedAt ?? write.time : write.time,
            asOf: moment
        )
        if !isSame {
            user.note(
                UserChange(
                    version: version,
                    grant: write.grant,
                    at: write.time,
                    author: write.author,
                    asOf: write.asOf == nil && moment == write.time ? nil : moment
                )
            )
        }
        user.last = (version, moment)
        user.isChanged = user.isChanged || state != former
        user.state = state
        users[write.id] = user
        let saved = SavedUserState(state: state, isNew: former == nil)
        keep(write.keeping, saved)
        return saved
    }

    private mutating func remove(_ removal: UserStateRemoval) throws(UserStateWriteError) -> Bool {
        if let answer = removal.keeping.flatMap({ answer(to: $0.request) }) { throw .answered(answer) }
        var user = users[removal.id] ?? User(hasHistory: false)
        let former = user.state
        guard removal.precondition.holds(for: former?.version) else { throw .versionMismatch(current: former?.version) }
        if removal.isErasure {
            defer { users[removal.id] = user }
            return erase(&user, removal)
        }
        guard let moment = ChangeOrder.moment(asOf: removal.asOf, at: removal.time, after: user.last?.asOf) else {
            throw .superseded(by: former)
        }
        guard former != nil, let last = user.last else { return false }
        user.state = nil
        user.note(
            UserChange(
                version: last.version + 1,
                grant: nil,
                at: removal.time,
                author: removal.author,
                asOf: removal.asOf == nil && moment == removal.time ? nil : moment
            )
        )
        users[removal.id] = user
        keep(removal.keeping, ())
        return true
    }

    /// Forgets all that is kept of a user, but for the last version and its moment.
    private mutating func erase(_ user: inout User, _ removal: UserStateRemoval) -> Bool {
        answers = answers.filter { $0.value.request.user != removal.id }
        user.isErased = true
        guard user.hasHistory, let last = user.last else { return false }
        user.last = (last.version, max(last.asOf, removal.time))
        user.state = nil
        user.changes = []
        user.hasHistory = false
        user.isChanged = true
        return true
    }

    // MARK: Answers

    private func answer(to request: RepeatableRequest) -> KeptAnswer? {
        guard let kept = answers[request.name], kept.request.time >= request.horizon else { return nil }
        return kept.answer
    }

    private mutating func keep<Outcome>(_ keeping: AnswerKeeping<Outcome>?, _ outcome: Outcome) {
        guard let keeping, let answer = keeping.answer(outcome) else { return }
        keep(answer, to: keeping.request)
    }

    private mutating func keep(_ answer: KeptAnswer, to request: RepeatableRequest) {
        answers[request.name] = Answer(request: request, answer: answer, isNew: true)
    }

    // MARK: Continuations

    private mutating func bind(_ id: ContinuationID, to user: UserID, until end: Timestamp, at time: Timestamp)
        -> ContinuationStanding
    {
        // Once one of its age was forgotten it may have been, too, and the clock may have gone back since.
        for known in ended where known.end < time { forgottenUntil = max(forgottenUntil, known.end) }
        guard end > forgottenUntil else { return .expired }
        guard let redemption = redemptions[id] else {
            redemptions[id] = Redemption(user: user, end: end, isSpent: false, isNew: true)
            return .open
        }
        guard redemption.user == user else { return redemption.isSpent ? .spent : .otherUser }
        return redemption.isSpent ? .granted : .open
    }
}
