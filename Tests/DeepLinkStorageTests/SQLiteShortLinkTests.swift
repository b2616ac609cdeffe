import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB
import Testing
import WaymarkTestSupport

@testable import DeepLinkSQLite

/// Tests of short links in a SQLite file: its schema, its size, damage and changes by others.
@Suite struct SQLiteShortLinkTests {
    private typealias Fixture = ShortLinkFixture

    private func edit(_ path: String, _ statements: String) async throws {
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: statements) }
        try queue.close()
    }

    /// Adds a token as the schemas before the last uses of tokens have it.
    private static func insert(_ token: ServiceToken, in database: Database) throws {
        try database.execute(
            sql: "INSERT INTO service_token (id, digest, role, note, created_at, checksum) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                token.id.text, Data(token.digest), token.role.rawValue, token.note,
                token.created.millisecondsSinceEpoch, ServiceTokenRecord.checksum(of: token),
            ]
        )
        try StoredNumber.serviceTokens.set(1, in: database)
    }

    @Test func `a file of the schema before gets short links and publishers, and keeps its tokens`() async throws {
        try await StoreFixture.with { fixture in
            let (digest, time) = ([UInt8](repeating: 7, count: 32), Fixture.time(1))
            func token(_ id: String, _ role: Role) throws -> ServiceToken {
                let id = try #require(ServiceTokenID(id))
                return ServiceToken(id: id, digest: digest, role: role, note: "é", created: time)
            }
            let former = try token("abcdefghijkl", .admin)
            let queue = try DatabaseQueue(path: fixture.path)
            try Schema.migrator.migrate(queue, upTo: "9 grants")
            try await queue.write { try Self.insert(former, in: $0) }
            await #expect(throws: DatabaseError.self) {
                let publisher = try token("mnopqrstuvwx", .publisher)
                try await queue.write { try Self.insert(publisher, in: $0) }
            }
            try queue.close()
            let store = try fixture.offline()
            let upgrade = try #require(store.upgrade)
            #expect(upgrade.from == 9 && upgrade.to == Schema.migrator.migrations.count)
            #expect(try store.serviceTokens() == [former])
            try await store.add(try token("mnopqrstuvwx", .publisher))
            #expect(try Set(store.serviceTokens().map(\.role)) == [.admin, .publisher])
            #expect(try await store.save(Fixture.write("sale")).isNew)
            try store.close()
        }
    }

    @Test func `a link takes 200 bytes at most`() async throws {
        let count = max(Effort.part(of: 1_000_000), 20_000)
        try await StoreFixture.with { fixture in
            let store = try fixture.offline()
            let clock = ContinuousClock()
            let begin = clock.now
            for slice in 0..<(count / 1000) {
                let writes = try (0..<1000)
                    .map { number in
                        let id = "spring-\(slice * 1000 + number)"
                        let contents = ShortLinkContents(
                            host: "go.example.com",
                            target: Fixture.target(id, route: "route-\(number % 50)"),
                            label: try Fixture.label("label \(number % 20)"),
                            expires: Fixture.time(1_800_000_000_000)
                        )
                        return Fixture.drawn(contents, at: 1_790_000_000_000 + Int64(number))
                    }
                for outcome in try await store.saveEach(writes) { _ = try outcome.get() }
            }
            let seconds = (clock.now - begin) / .seconds(1)
            let size = try await store.pool.read { database in
                try Int.fetchOne(
                    database,
                    sql: """
                        SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE
                            AND name IN (SELECT name FROM sqlite_schema WHERE tbl_name = 'short_link')
                        """
                )
            }
            let bytes = try #require(size) / count
            print("\(count) short links: \(bytes) bytes each, \(Int(Double(count) / seconds)) links/s")
            #expect(bytes <= 200)
            try store.close()
        }
    }

    @Test(
        arguments: [
            "code = 'sal3'", "parameters = x'0101'", "target = target || 'x'", "version = version + 1", "kind = 2",
            "is_withdrawn = 1", "expires_at = 5", "checksum = checksum + 1", "shape = shape + 1", "about = 'eve'",
        ]
    )
    func `a damaged row is an error that names the database, and no other suffers`(_ change: String) async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.offline()
            let contents = ShortLinkContents(target: Fixture.target(), about: try StoreFixture.id("ada"))
            for code in ["sale", "other"] { _ = try await store.save(Fixture.write(code, contents)) }
            try store.close()
            try await edit(
                fixture.path,
                "DROP TRIGGER short_link_by_hand; UPDATE short_link SET \(change) WHERE code = 'sale'"
            )
            let damaged = try fixture.offline()
            let code = try Fixture.code(change.hasPrefix("code") ? "sal3" : "sale")
            let reads: [() throws -> Void] = [
                { _ = try damaged.cachedLink(for: code) }, { _ = try damaged.storedLink(for: code) },
                { _ = try damaged.shortLinks(ShortLinkFilter(), after: nil, limit: 10) },
            ]
            for read in reads {
                let error = #expect(throws: StoreOpenError.self) { try read() }
                #expect(error?.isDamage == true)
            }
            await #expect(throws: StoreOpenError.self) { try await damaged.withdraw(Fixture.removal(code.text)) }
            #expect(try damaged.storedLink(for: Fixture.code("other"))?.version == 1)
            try damaged.close()
        }
    }

    @Test func `a row changed by hand counts as the file says`() async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.offline()
            _ = try await store.save(Fixture.write("sale"))
            try await edit(fixture.path, "UPDATE short_link SET expires_at = 9 WHERE code = 'sale'")
            #expect(try store.storedLink(for: Fixture.code("sale"))?.contents.expires == Fixture.time(9))
            try store.close()
        }
    }

    @Test(
        arguments: [
            "UPDATE short_link SET code = 'a b'", "UPDATE short_link SET code = 'ab'", "UPDATE short_link SET kind = 3",
            "UPDATE short_link SET name = 'n'", "UPDATE short_link SET version = 0",
            "UPDATE short_link SET about = 'ada'", "UPDATE short_link SET code = 'other'",
            "INSERT INTO erased_short_link VALUES (x'00', 0)", "UPDATE short_link_text SET kind = 4",
        ]
    )
    func `the schema refuses rows that no store writes`(_ statement: String) async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.offline()
            for code in ["sale", "other"] { _ = try await store.save(Fixture.write(code)) }
            try store.close()
            await #expect(throws: DatabaseError.self) { try await edit(fixture.path, statement) }
        }
    }

    @Test func `a server remembers links, and sees changes of others once the lease is over`() async throws {
        try await StoreFixture.with { fixture in
            let code = try Fixture.code("sale")
            let patient = try fixture.remembering()
            _ = try await patient.save(Fixture.write("sale"))
            let command = try fixture.offline()
            #expect(try patient.cachedLink(for: code)?.link?.version == 1)
            #expect(try await command.withdraw(Fixture.removal("sale")) != nil)
            #expect(try patient.cachedLink(for: code)?.link?.version == 1)
            // One's own change is seen at once.
            _ = try await patient.save(Fixture.write("sale", withdrawal: .restored, at: 3000))
            #expect(try patient.cachedLink(for: code)?.link?.version == 3)
            try patient.close()
            let server = try fixture.serving()
            #expect(try server.cachedLink(for: code)?.link?.version == 3)
            #expect(try await command.withdraw(Fixture.removal("sale", at: 4000)) != nil)
            let begin = ContinuousClock.now
            while try server.cachedLink(for: code)?.link?.contents.isWithdrawn == false {
                try #require(ContinuousClock.now - begin < .seconds(30))
                try await Task.sleep(for: .milliseconds(20))
            }
            for store in [server, command] { try store.close() }
        }
    }
}
