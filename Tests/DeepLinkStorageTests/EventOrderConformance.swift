import DeepLinkCore
import DeepLinkStorage
import GRDB
import Testing
import WaymarkTestSupport

@testable import DeepLinkSQLite

/// Tests that dated changes of a user end in one state, in whatever order they arrive.
@Suite struct EventOrderConformance {
    /// A dated change of a user.
    private enum Event: CustomStringConvertible {
        case level(AuthorizationLevel)
        case line(AuthorizationLevel, [String])
        case grant(String)
        case revocation(String)
        case deletion

        var description: String {
            switch self {
            case .level(let level): "level \(level.rank)"
            case .line(let level, let grants): "line \(level.rank) \(grants)"
            case .grant(let name): "grant \(name)"
            case .revocation(let name): "revoke \(name)"
            case .deletion: "delete"
            }
        }
    }

    private struct Dated {
        let event: Event
        let effectiveTime: Int64
    }

    /// The level and the grants of a user: the lowest level and no grants for a user without a state.
    private struct State: Hashable {
        let level: LevelName
        let grants: [String]

        init(_ access: UserAccess?) {
            level = (access?.level ?? .unwritten).level
            grants = (access?.grants ?? []).map(\.name.text)
        }
    }

    private static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    private func with(_ kind: StoreKind, _ body: (any UserStateStore) async throws -> Void) async throws {
        try await kind.with(memory: { InMemoryUserStateStore() }, stored: { $0 }, body)
    }

    /// Makes a change, and returns whether it found something: of one that is late, `nil`.
    @discardableResult
    private func make(
        _ event: Event,
        at effectiveTime: Int64?,
        of user: String = "ada",
        in store: any UserStateStore,
        now: Int64 = 100_000
    ) async throws -> Bool? {
        let (id, now, asOf) = (try StoreFixture.id(user), Self.time(now), effectiveTime.map(Self.time))
        do {
            switch event {
            case .level, .line:
                let (level, grants): (AuthorizationLevel, [GrantAssignment]?)
                switch event {
                case .line(let own, let names): (level, grants) = (own, try names.map { GrantAssignment(try name($0)) })
                case .level(let own): (level, grants) = (own, nil)
                default: return nil
                }
                let held = try #require(LevelAssignment(level: level))
                let write = UserStateWrite(id: id, level: held, grants: grants, time: now, author: "test", asOf: asOf)
                return try await !store.save(write).isNew
            case .grant(let text), .revocation(let text):
                let isHeld = if case .grant = event { true } else { false }
                let write = GrantWrite(
                    id: id,
                    name: try name(text),
                    change: isHeld ? .hold(until: nil) : .remove,
                    time: now,
                    author: "test",
                    asOf: asOf
                )
                return try await store.save(write).wasHeld
            case .deletion:
                return try await store.remove(UserStateRemoval(id: id, time: now, author: "test", asOf: asOf))
            }
        } catch UserStateWriteError.superseded {
            return nil
        }
    }

    private func name(_ text: String) throws -> GrantName { try #require(GrantName(text)) }

    private func state(of user: String = "ada", in store: any UserStateStore) async throws -> State {
        let access = try await store.access(of: StoreFixture.id(user))
        #expect(try await store.state(of: StoreFixture.id(user))?.access == access)
        return State(access)
    }

    @Test(arguments: StoreKind.allCases)
    func `dated changes with distinct moments in any order end in one state`(_ kind: StoreKind) async throws {
        var generator = SeededGenerator(seed: 43)
        try await with(kind) { store in
            for round in 0..<Effort.part(of: 2000) {
                let events = (1...Int64.random(in: 2...7, using: &generator))
                    .map { effectiveTime in
                        Dated(event: random(&generator), effectiveTime: effectiveTime * 10)
                    }
                var shuffled = events
                shuffled.shuffle(using: &generator)
                for (user, order) in [("sorted \(round)", events), ("shuffled \(round)", shuffled)] {
                    for dated in order { try await make(dated.event, at: dated.effectiveTime, of: user, in: store) }
                }
                let (expected, found) = (
                    try await state(of: "sorted \(round)", in: store),
                    try await state(of: "shuffled \(round)", in: store)
                )
                #expect(expected == found, "\(shuffled.map { "\($0.effectiveTime) \($0.event)" })")
            }
        }
    }

    private func random(_ generator: inout SeededGenerator) -> Event {
        let level = generator.pick([AuthorizationLevel.none, .signedInUser, .premiumUser])
        let grant = generator.pick(["kyc", "pro"])
        return switch Int.random(in: 0..<7, using: &generator) {
        case 0, 1: .level(level)
        case 2: .line(level, generator.oneIn(2) ? [grant] : ["kyc", "pro"])
        case 3: .grant(grant)
        case 4: .revocation(grant)
        case 5: .grant("kyc")
        default: .deletion
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a revocation before its grant finds nothing, and the grant is late`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            // Of a user who is there, of one who held it before, and of one whom nobody knows.
            try await make(.level(.premiumUser), at: 1, of: "ada", in: store)
            try await make(.grant("pro"), at: 1, of: "bob", in: store)
            #expect(try await make(.revocation("pro"), at: 2, of: "bob", in: store) == true)
            for user in ["ada", "bob", "eve"] {
                let before = try await store.state(of: StoreFixture.id(user))
                #expect(try await make(.revocation("pro"), at: 50, of: user, in: store) == false, "\(user)")
                #expect(try await make(.revocation("pro"), at: 50, of: user, in: store) == false, "\(user)")
                #expect(try await make(.revocation("pro"), at: 49, of: user, in: store) == nil, "\(user)")
                #expect(try await make(.grant("pro"), at: 40, of: user, in: store) == nil, "\(user)")
                let after = try await store.state(of: StoreFixture.id(user))
                #expect(after?.version == before?.version && after?.updatedAt == before?.updatedAt, "\(user)")
                #expect(try await make(.grant("kyc"), at: 40, of: user, in: store) == false, "\(user)")
                #expect(try await make(.grant("pro"), at: 51, of: user, in: store) == false, "\(user)")
                #expect(try await state(of: user, in: store).grants == ["kyc", "pro"], "\(user)")
            }
            #expect(try await store.history(of: StoreFixture.id("eve")).map(\.version) == [1, 2])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a deletion takes what is before it, whenever it arrives`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            #expect(try await make(.deletion, at: 30, in: store) == false)
            #expect(try await make(.level(.premiumUser), at: 20, in: store) == nil)
            #expect(try await make(.grant("pro"), at: 20, in: store) == nil)
            #expect(try await store.state(of: StoreFixture.id("ada")) == nil)
            #expect(try await make(.level(.signedInUser), at: 40, in: store) == false)
            #expect(try await make(.grant("pro"), at: 20, in: store) == nil)
            #expect(try await state(in: store) == State(UserAccess(level: LevelAssignment(level: .signedInUser))))
            // The level is newer, the grant is not.
            try await make(.grant("pro"), at: 10, of: "bob", in: store)
            try await make(.level(.signedInUser), at: 30, of: "bob", in: store)
            #expect(try await make(.deletion, at: 20, of: "bob", in: store) == true)
            #expect(try await state(of: "bob", in: store) == state(in: store))
            #expect(try await make(.deletion, at: 25, of: "bob", in: store) == nil)
            #expect(try await make(.grant("kyc"), at: 24, of: "bob", in: store) == nil)
            // A removed grant has a moment of its own, which says nothing of the level.
            try await make(.grant("pro"), at: 10, of: "eve", in: store)
            try await make(.revocation("pro"), at: 50, of: "eve", in: store)
            #expect(try await make(.deletion, at: 30, of: "eve", in: store) == true)
            #expect(try await make(.grant("pro"), at: 45, of: "eve", in: store) == nil)
            #expect(try await make(.level(.signedInUser), at: 40, of: "eve", in: store) == false)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a deletion without a moment that finds nothing leaves nothing`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            let isDeletionApplied = try await make(.deletion, at: nil, in: store)
            #expect(isDeletionApplied == false)
            #expect(try await make(.revocation("pro"), at: nil, in: store) == false)
            #expect(try await make(.level(.signedInUser), at: 20, in: store) == false)
            #expect(try await make(.grant("pro"), at: 20, in: store) == false)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an erasure takes the moments of what was never there`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            let erasure = UserStateRemoval(
                id: try StoreFixture.id("ada"),
                time: Self.time(100_000),
                author: "test",
                isErasure: true
            )
            try await make(.deletion, at: 30, in: store)
            try await make(.revocation("pro"), at: 50, in: store)
            #expect(try await store.remove(erasure))
            #expect(try await store.remove(erasure) == false)
            #expect(try await make(.grant("pro"), at: 20, in: store) == false)
            #expect(try await store.state(of: StoreFixture.id("ada"))?.version == 1)
        }
    }

    @Test func `kept moments outlive a restart, and the oldest go beyond their age`() async throws {
        try await StoreFixture.with { fixture in
            let day: Int64 = 86_400_000
            func removal(_ user: String, at now: Int64) throws -> UserStateRemoval {
                UserStateRemoval(id: try StoreFixture.id(user), time: Self.time(now), author: "t", asOf: Self.time(now))
            }
            let first = try fixture.offline()
            #expect(try await first.remove(removal("ada", at: day)) == false)
            try first.close()
            let second = try fixture.offline()
            #expect(try await make(.level(.signedInUser), at: day - 1, in: second, now: day) == nil)
            func users() throws -> Int? {
                try second.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM user_moment") }
            }
            #expect(try await second.remove(removal("bob", at: 31 * day)) == false)
            #expect(try users() == 2)
            #expect(try await second.remove(removal("eve", at: 31 * day + 1)) == false)
            #expect(try users() == 2)
            // A state has its moments beside it.
            try await make(.level(.signedInUser), at: 40 * day, of: "eve", in: second, now: 40 * day)
            #expect(try users() == 1)
            try second.close()
        }
    }
}
