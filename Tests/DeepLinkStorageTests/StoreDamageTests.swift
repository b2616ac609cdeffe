import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB
import Testing
import WaymarkTestSupport

@testable import DeepLinkSQLite

/// Changes the bytes of a small database, one at a time, and asks everything of it.
@Suite struct StoreDamageTests {
    /// The answer of one damaged file.
    enum Finding: Hashable {
        case right, nothing, error
    }

    private static let now = Timestamp(millisecondsSinceEpoch: 1_800_000_000_000)

    private static func time(_ seconds: Int64) -> Timestamp {
        Timestamp(millisecondsSinceEpoch: now.millisecondsSinceEpoch + seconds * 1000)
    }

    /// The contents of the file, as the undamaged one answers them.
    private struct Contents {
        let users: [UserID]
        let states: [UserState]
        let histories: [[UserChange]]
        let tokens: [ServiceToken]
        let spent: ContinuationID
        let bound: ContinuationID
        let owner: UserID
    }

    private static func fill(_ path: String) async throws -> Contents {
        let store = try SQLiteStore(path: path, use: .serving)
        let names = ["ada", "bob", "carl-with-a-longer-name", "dora", "é\u{1F600}"]
        let users = try names.map { try StoreFixture.id($0) }
        for (index, name) in names.enumerated() {
            let levels: [AuthorizationLevel] = [.premiumUser, .onboardingCompleted, .signedInUser]
            for round in 0...2 {
                let level = levels[(index + round) % 3]
                let end: Int64? = index == 0 ? nil : now.millisecondsSinceEpoch + Int64(index) * 100_000
                _ = try await store.save(StoreFixture.write(name, level, until: end))
            }
        }
        let removal = UserStateRemoval(id: users[3], time: now, author: "test")
        _ = try await store.remove(removal)
        for (role, end) in [(Role.admin, nil), (.resolver, time(60)), (.resolver, nil)] as [(Role, Timestamp?)] {
            let digest = (0..<32).map { UInt8($0) }
            let token = ServiceToken(
                id: ServiceTokenID.random(),
                digest: digest,
                role: role,
                note: "n",
                created: now,
                expires: end
            )
            try await store.add(token)
            if end != nil { _ = try await store.revoke(token.id, at: time(1)) }
        }
        let (spent, bound) = (ContinuationID.random(), ContinuationID.random())
        for id in [spent, bound, ContinuationID.random()] {
            _ = try await store.bind(id, to: users[0], until: time(600), at: now)
        }
        _ = try await store.spend(spent)
        let contents = Contents(
            users: users,
            states: try store.states(after: nil, limit: 100),
            histories: try users.map { try store.changes(of: $0) },
            tokens: try store.serviceTokens(),
            spent: spent,
            bound: bound,
            owner: users[0]
        )
        try store.close()
        return contents
    }

    /// Asks something, and judges the answer.
    private static func ask<Answer>(
        _ question: () throws -> Answer,
        _ judge: (Answer) -> Finding?,
        _ place: String,
        _ findings: inout [Finding: Int]
    ) {
        guard let answer = try? question() else {
            findings[.error, default: 0] += 1
            return
        }
        let finding = judge(answer)
        #expect(finding != nil, "\(place): \(answer)")
        if let finding { findings[finding, default: 0] += 1 }
    }

    /// Opens a damaged file and asks everything of it.
    private static func examine(_ path: String, _ contents: Contents, _ place: String, _ findings: inout [Finding: Int])
        async
    {
        guard let store = try? SQLiteStore(path: path, use: .serving) else {
            findings[.error, default: 0] += 1
            return
        }
        for (user, history) in zip(contents.users, contents.histories) {
            let state = contents.states.first { $0.id == user }
            // No state if there is one would be a wrong level, too.
            ask({ try store.state(of: user) }, { $0 == state ? .right : nil }, "\(place) state", &findings)
            ask({ try store.access(of: user) }, { $0 == state?.access ? .right : nil }, "\(place) access", &findings)
            ask(
                { try store.changes(of: user) },
                { $0 == history ? .right : $0.allSatisfy(history.contains) ? .nothing : nil },
                "\(place) history",
                &findings
            )
        }
        for other in ["ad", "adb", "cda", "zoe", "!da"] {
            ask({ try store.state(of: StoreFixture.id(other)) }, { $0 == nil ? .right : nil }, place, &findings)
            ask({ try store.access(of: StoreFixture.id(other)) }, { $0 == nil ? .right : nil }, place, &findings)
        }
        ask(
            { try store.states(after: nil, limit: 100) },
            { $0 == contents.states ? .right : $0.allSatisfy(contents.states.contains) ? .nothing : nil },
            "\(place) states",
            &findings
        )
        ask(store.serviceTokens, { $0 == contents.tokens ? .right : nil }, "\(place) tokens", &findings)
        ask(store.checkUsable, { .right }, place, &findings)
        let standings: [(ContinuationID, UserID, [RedemptionState])] = [
            (contents.spent, contents.owner, [.granted, .expired]),
            (contents.bound, contents.users[1], [.otherUser, .expired]),
            (contents.bound, contents.owner, [.open, .expired]),
        ]
        for (id, user, allowed) in standings {
            let storedState = try? await store.bind(id, to: user, until: time(600), at: now)
            ask(
                { try storedState ?? { throw DamagedRowError(table: "continuation") }() },
                { allowed.contains($0) ? .right : nil },
                "\(place) continuation",
                &findings
            )
        }
        let isGranted = try? await store.spend(contents.spent)
        #expect(isGranted != true, "\(place) spend")
        _ = try? await store.save(StoreFixture.write("ada", .onboardingCompleted))
        try? await store.pollExternalChanges()
        try? store.close()
    }

    /// Returns the positions that are tried: some, drawn from a seed, or all of them if `WAYMARK_TEST_FULL` is set.
    private static func positions(of count: Int) -> [Int] {
        if ProcessInfo.processInfo.environment["WAYMARK_TEST_FULL"] == "1" { return Array(0..<count) }
        var generator = SeededGenerator(seed: 5)
        return (0..<Effort.part(of: 1000)).map { _ in Int.random(in: 0..<count, using: &generator) }
    }

    @Test func `no damaged byte ends the process, or gives a wrong answer`() async throws {
        try await StoreFixture.with { fixture in
            let contents = try await Self.fill(fixture.path)
            let bytes = try fixture.bytes
            var generator = SeededGenerator(seed: 18)
            var findings: [Finding: Int] = [:]
            let positions = Self.positions(of: bytes.count)
            for position in positions {
                let byte = StoreFixture.byte(otherThan: bytes[position], using: &generator)
                let place = try fixture.rewrite(bytes, changing: position, to: byte)
                await Self.examine(fixture.path, contents, place, &findings)
            }
            let (right, nothing, error) = (findings[.right] ?? 0, findings[.nothing] ?? 0, findings[.error] ?? 0)
            print("\(positions.count) damaged files: \(right) right, \(nothing) shorter lists, \(error) errors")
            #expect(right > 0 && error > 0)
        }
    }

    @Test(arguments: ["level", "valid_until", "version", "id", "updated_at", "checksum"])
    func `a damaged row of a user names the database, and no other row suffers`(_ column: String) async throws {
        try await StoreFixture.with { fixture in
            do {
                let store = try fixture.serving()
                for name in ["ada", "bob"] {
                    _ = try await store.save(StoreFixture.write(name, .premiumUser, until: 9))
                }
                try store.close()
            }
            let queue = try DatabaseQueue(path: fixture.path)
            // As damage does, without the trigger's help for rows written by hand.
            try await queue.write { database in
                let value = column == "id" ? "'adb'" : column == "level" ? "'signedInUser'" : "\(column) + 1"
                try database.execute(
                    sql: "DROP TRIGGER user_state_by_hand; UPDATE user_state SET \(column) = \(value) WHERE id = 'ada'"
                )
            }
            try queue.close()
            let store = try fixture.serving()
            let name = column == "id" ? "adb" : "ada"
            let reads: [() throws -> Void] = [
                { _ = try store.state(of: StoreFixture.id(name)) }, { _ = try store.access(of: StoreFixture.id(name)) },
                { _ = try store.state(of: StoreFixture.id("ada")) },
                { _ = try store.access(of: StoreFixture.id("ada")) },
                { _ = try store.states(after: nil, limit: 10) },
            ]
            for read in reads {
                let error = #expect(throws: StoreOpenError.self) { try read() }
                #expect(error?.isDamage == true)
                #expect(error?.description.contains(fixture.path) == true)
            }
            await #expect(throws: StoreOpenError.self) { try await store.save(StoreFixture.write(name)) }
            #expect(try store.state(of: StoreFixture.id("bob"))?.level.level == .premiumUser)
            #expect(try await store.save(StoreFixture.write("bob")).state.version == 2)
            try store.close()
        }
    }

    @Test func `a row that lost its place is an error, and no user without a level`() async throws {
        try await StoreFixture.with { fixture in
            do {
                let store = try fixture.serving()
                _ = try await store.save(StoreFixture.write("ada"))
                try store.close()
            }
            let queue = try DatabaseQueue(path: fixture.path)
            try await queue.write { database in
                try database.execute(sql: "DROP TRIGGER user_state_deleted_by_hand; DELETE FROM user_state")
            }
            try queue.close()
            let store = try fixture.serving()
            #expect(throws: StoreOpenError.self) { try store.state(of: StoreFixture.id("ada")) }
            #expect(throws: StoreOpenError.self) { try store.access(of: StoreFixture.id("ada")) }
            #expect(try await store.access(of: StoreFixture.id("bob")) == nil)
            try store.close()
        }
    }

    @Test func `a table of tokens that damage has emptied does not open the server`() async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.serving()
            let digest = [UInt8](repeating: 7, count: 32)
            let token = ServiceToken(
                id: ServiceTokenID.random(),
                digest: digest,
                role: .admin,
                note: "",
                created: Self.now
            )
            try await store.add(token)
            try await store.pool.write { try $0.execute(sql: "DELETE FROM service_token") }
            let error = #expect(throws: StoreOpenError.self) { try store.serviceTokens() }
            #expect(error?.description.contains(fixture.path) == true)
            try store.close()
        }
    }

    @Test func `a list of tables that damage has emptied makes no new database`() async throws {
        try await StoreFixture.with { fixture in
            do {
                let store = try fixture.serving()
                _ = try await store.save(StoreFixture.write("ada", .premiumUser))
                try store.close()
            }
            let url = URL(fileURLWithPath: fixture.path)
            var bytes = Array(try Data(contentsOf: url))
            // The count of rows on the first page, after the header of the file (sqlite.org/fileformat.html §1.6).
            (bytes[103], bytes[104]) = (0, 0)
            try Data(bytes).write(to: url)
            for _ in 0..<2 {
                let error = #expect(throws: StoreOpenError.self) { try fixture.serving() }
                #expect(error?.isDamage == true)
            }
        }
    }

    @Test func `a user who is added by hand is erased like any other`() async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.serving()
            let queue = try DatabaseQueue(path: fixture.path)
            try await queue.write { database in
                try database.execute(
                    sql:
                        "INSERT INTO user_state (id, level, version, updated_at) VALUES ('ada', 'signedInUser', 4, 1000)"
                )
            }
            try queue.close()
            let id = try StoreFixture.id("ada")
            let erasure = UserStateRemoval(
                id: id,
                time: Timestamp(millisecondsSinceEpoch: 2000),
                author: "test",
                isErasure: true
            )
            #expect(try await store.remove(erasure))
            #expect(try store.state(of: id) == nil)
            #expect(try store.changes(of: id).isEmpty)
            #expect(try await store.save(StoreFixture.write("ada")).state.version == 5)
            try store.close()
        }
    }

    @Test func `a user who is changed or deleted by hand is as the file says`() async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.serving()
            for name in ["ada", "bob"] { _ = try await store.save(StoreFixture.write(name, .onboardingCompleted)) }
            let queue = try DatabaseQueue(path: fixture.path)
            try await queue.write { database in
                try database.execute(sql: "UPDATE user_state SET level = 'premiumUser' WHERE id = 'ada'")
                try database.execute(sql: "DELETE FROM user_state WHERE id = 'bob'")
            }
            try queue.close()
            #expect(try store.state(of: StoreFixture.id("ada"))?.level.level == .premiumUser)
            #expect(try store.state(of: StoreFixture.id("bob")) == nil)
            #expect(try store.changes(of: StoreFixture.id("bob")).map(\.level?.level) == [.onboardingCompleted, nil])
            #expect(try await store.save(StoreFixture.write("bob")).state.version == 3)
            try store.close()
        }
    }
}
