import DeepLinkCore
import DeepLinkStorage
import Testing
import WaymarkTestSupport

/// Tests of changes that share a ledger.
@Suite struct WriteLedgerTests {
    private static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    private static func id(_ text: String) throws -> UserID { try #require(UserID(text)) }

    private static func continuation(_ digit: String) throws -> ContinuationID {
        try #require(ContinuationID(String(repeating: digit, count: 32)))
    }

    private static func erasure(
        _ name: String,
        at time: Int64
    ) throws -> StoreChange<Result<UserStateRemovalResult, UserStateWriteError>> {
        .remove(UserStateRemoval(id: try id(name), time: Self.time(time), author: "test", isErasure: true))
    }

    /// PostgreSQL's ledger once wrote the name of a user who had bound a continuation in the same transaction.
    @Test func `a continuation that was bound and whose user was erased in one transaction is nobody's`() throws {
        var ledger = WriteLedger()
        let (id, alice) = (try Self.continuation("a"), try Self.id("alice"))
        let bind = StoreChange.bind(id, to: alice, until: Self.time(100), at: Self.time(1))
        #expect(ledger.apply(bind) == .open)
        _ = ledger.apply(try Self.erasure("alice", at: 2))
        #expect(ledger.redemptions.entries[id]?.isUnbound == true)
        #expect(ledger.apply(bind) == .otherUser)
    }

    @Test func `a continuation is forgotten by the first bind after its end, and by none before`() throws {
        var ledger = WriteLedger()
        let (old, other) = (try Self.continuation("a"), try Self.continuation("b"))
        let alice = try Self.id("alice")
        ledger.redemptions.read(
            RedemptionLedger.Redemption(user: alice, end: Self.time(50), isSpent: true, isStored: true),
            of: old
        )
        ledger.redemptions.readEnded(old, end: Self.time(50))
        let early = StoreChange.bind(old, to: alice, until: Self.time(50), at: Self.time(40))
        #expect(ledger.apply(early) == .granted)
        let late = StoreChange.bind(other, to: alice, until: Self.time(100), at: Self.time(60))
        #expect(ledger.apply(late) == .open)
        #expect(ledger.apply(early) == .expired)
        #expect(ledger.redemptions.forgotten == [old])
        #expect(ledger.redemptions.forgottenUntil == Self.time(50))
    }

    @Test func `an erasure forgets the answers that were kept in the same transaction`() throws {
        var ledger = WriteLedger()
        let request = try Self.request(key: "k", user: "alice", at: 1)
        _ = ledger.apply(.keep(Self.answer(1), to: request))
        #expect(ledger.answers.new.count == 1)
        _ = ledger.apply(try Self.erasure("alice", at: 2))
        #expect(ledger.answers.new.isEmpty)
        #expect(ledger.answers.answer(to: request) == nil)
    }

    @Test func `a token that is revoked keeps the time of the first revocation`() throws {
        var ledger = WriteLedger()
        let id = try #require(ServiceTokenID("0123456789ab"))
        ledger.tokens.read(id, revoked: nil)
        for time in [1, 2] as [Int64] { _ = ledger.apply(.revoke(id, at: Self.time(time))) }
        #expect(ledger.tokens.revocations.map(\.time) == [Self.time(1)])
    }

    // MARK: Law

    private static func request(key: String, user: String, at time: Int64) throws -> KeyedRequest {
        KeyedRequest(
            caller: "test",
            method: "POST",
            path: "/v1/users/\(user)",
            key: key,
            digest: [],
            user: try id(user),
            time: Self.time(time)
        )
    }

    private static func answer(_ number: Int) -> StoredResponse {
        StoredResponse(digest: [], status: 200, tag: nil, body: [UInt8(truncatingIfNeeded: number)])
    }

    /// Draws a change of few users, answers and continuations, at a time that goes up, and back now and then.
    private static func change(_ number: Int, _ generator: inout SeededGenerator) throws -> StoreChange<String> {
        let user = generator.pick(["alice", "bob"])
        let now = Int64(number) * 10 - (generator.oneIn(5) ? 25 : 0)
        let asOf = generator.oneIn(2) ? Self.time(now - Int64(generator.pick([0, 5, 30]))) : nil
        let request = try Self.request(key: generator.pick(["k", "l"]), user: user, at: now)
        let condition = generator.pick([UserStatePrecondition.none, .none, .exists, .absent, .version([1, 2, 3, 4])])
        let isKept = generator.oneIn(4)
        switch generator.pick([0, 0, 0, 1, 2, 3, 4, 5, 6, 6, 6]) {
        case 0:
            let level = generator.pick([AuthorizationLevel.none, .signedInUser, .premiumUser])
            let write = UserStateWrite(
                id: try id(user),
                level: try #require(LevelAssignment(level: level)),
                grants: generator.oneIn(4) ? [try grant(&generator, at: now)] : nil,
                precondition: condition,
                time: time(now),
                author: "test",
                asOf: asOf,
                storing: isKept ? ResponseStoring(request) { answer($0.state.version) } : nil
            )
            return spelled(.save([write]))
        case 1, 2:
            let removal = UserStateRemoval(
                id: try id(user),
                precondition: condition,
                time: time(now),
                author: "test",
                asOf: asOf,
                isErasure: generator.oneIn(3),
                storing: isKept ? ResponseStoring(request) { answer(0) } : nil
            )
            return spelled(.remove(removal))
        case 6:
            let grant = try grant(&generator, at: now)
            let write = GrantWrite(
                id: try id(user),
                name: grant.name,
                change: generator.oneIn(3) ? .remove : .hold(until: grant.validUntil),
                precondition: condition,
                time: time(now),
                author: "test",
                asOf: asOf,
                storing: isKept ? ResponseStoring(request) { answer($0.state?.version ?? 0) } : nil
            )
            return spelled(.grant(write))
        case 3: return spelled(.keep(answer(number), to: request))
        case 4:
            let id = try continuation(generator.pick(["a", "b"]))
            return spelled(.bind(id, to: try Self.id(user), until: time(1000), at: time(now)))
        default: return spelled(.spend(try continuation(generator.pick(["a", "b"]))))
        }
    }

    /// Spells the outcome of a change; the moments of grants have no order of their own, and are compared with the
    /// states.
    private static func spelled<Outcome>(_ change: StoreChange<Outcome>) -> StoreChange<String> {
        change.map { "\($0)".replacing(/each: \[[^\]]*\]/, with: "each") }
    }

    /// Draws a grant, with an end around the present or none.
    private static func grant(_ generator: inout SeededGenerator, at now: Int64) throws -> GrantAssignment {
        let name = try #require(GrantName(generator.pick(["kyc", "pro"])))
        return GrantAssignment(name, validUntil: generator.oneIn(2) ? time(now + generator.pick([-10, 10, 50])) : nil)
    }

    /// The rows of a store that reads and writes a ledger for each transaction.
    private struct Rows {
        var states: [UserID: UserState] = [:]
        var history: [UserID: [UserChange]] = [:]
        var erased: [UserID: UserRecord.Mark] = [:]
        var timestamps: [UserID: StoredTimestamps] = [:]
        var answers: [[ByteText]: (KeyedRequest, StoredResponse)] = [:]
        var redemptions: [ContinuationID: RedemptionLedger.Redemption] = [:]
        var unbound: Set<ContinuationID> = []

        /// Makes changes in one transaction, and says what came of each.
        mutating func make(_ changes: [StoreChange<String>]) throws -> [String] {
            var ledger = WriteLedger()
            for id in Set(changes.flatMap(\.needs.users)) {
                if let state = states[id] {
                    ledger.users[id] = UserRecord(.present(state))
                } else if let newest = history[id]?.last {
                    let mark = UserRecord.Mark(version: newest.version, asOf: newest.asOf ?? newest.at)
                    ledger.users[id] = UserRecord(.deleted(mark))
                } else if let mark = erased[id] {
                    ledger.users[id] = UserRecord(.erased(mark))
                }
                if let kept = timestamps[id] { ledger.users[id, default: UserRecord()].read(kept: kept) }
            }
            for request in changes.flatMap(\.needs.requests) {
                if let (request, answer) = answers[request.name] { ledger.answers.read(answer, to: request) }
            }
            for id in changes.compactMap(\.needs.continuation) {
                if let known = redemptions[id] { ledger.redemptions.read(known, of: id) }
            }
            let outcomes = changes.map { ledger.apply($0) }
            try write(ledger)
            return outcomes
        }

        private mutating func write(_ ledger: WriteLedger) throws {
            let nobody = try #require(UserID("nobody"))
            for (id, user) in ledger.users {
                if user.isErased {
                    answers = answers.filter { $0.value.0.user != id }
                    for (continuation, known) in redemptions where known.user == id {
                        redemptions[continuation] = RedemptionLedger.Redemption(
                            user: nobody,
                            end: known.end,
                            isSpent: known.isSpent,
                            isStored: true
                        )
                    }
                    history[id] = nil
                    erased[id] = user.last
                }
                if user.hasNewTimestamps { timestamps[id] = user.kept }
                if user.hasNewState { states[id] = user.state(of: id) }
                if !user.changes.isEmpty { history[id, default: []] += user.changes }
            }
            for kept in ledger.answers.new { answers[kept.request.name] = (kept.request, kept.answer) }
            for (id, known) in ledger.redemptions.entries where known.isChanged || !known.isStored || known.isUnbound {
                redemptions[id] = RedemptionLedger.Redemption(
                    user: known.isUnbound ? nobody : known.user,
                    end: known.end,
                    isSpent: known.isSpent,
                    isStored: true
                )
            }
        }
    }

    @Test func `changes of one transaction have the outcomes that they have one by one`() throws {
        for seed in 0..<400 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let changes = try (1...24).map { try Self.change($0, &generator) }
            var (single, shared, mixed) = (Rows(), Rows(), Rows())
            let expected = try changes.flatMap { try single.make([$0]) }
            #expect(try shared.make(changes) == expected, "seed \(seed)")
            let half = generator.pick(Array(1..<24))
            let found = try mixed.make(Array(changes[..<half])) + mixed.make(Array(changes[half...]))
            #expect(found == expected, "seed \(seed), in two transactions")
            #expect(shared.states == single.states && mixed.states == single.states, "seed \(seed)")
            #expect(shared.history == single.history && mixed.history == single.history, "seed \(seed)")
            #expect(shared.redemptions.mapValues(\.user) == single.redemptions.mapValues(\.user), "seed \(seed)")
        }
    }
}
