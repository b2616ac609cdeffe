import DeepLinkCore
import DeepLinkSQLite
import DeepLinkStorage
import Testing
import WaymarkTestSupport

@testable import DeepLinkPostgres

/// Tests of short links on a PostgreSQL database that several servers share.
@Suite(PostgresFixture.isThere) struct PostgresShortLinkTests {
    private typealias Fixture = ShortLinkFixture

    private func withReplicas(_ body: ([PostgresStore]) async throws -> Void) async throws {
        try await PostgresFixture.with { fixture in
            let memory = PostgresStore.Memory(maximumStaleness: .seconds(2))
            let stores = [try await fixture.open(memory: memory), try await fixture.open(memory: memory)]
            try await body(stores)
            for store in stores { store.close() }
        }
    }

    @Test func `one name makes one link on all replicas, and one code has one link`() async throws {
        try await withReplicas { stores in
            let made = try await withThrowingTaskGroup(of: [Result<ShortLinkWriteResult, ShortLinkWriteError>].self) {
                group in
                for maker in 0..<8 {
                    group.addTask {
                        let store = stores[maker % 2]
                        return try await store.saveEach(
                            (0..<40)
                                .flatMap { number in
                                    [
                                        Fixture.drawn(naming: try Fixture.naming("name \((number + maker * 5) % 40)")),
                                        try Fixture.write(
                                            maker % 3 == 0 ? "Code-\(number)" : "code-\(number)",
                                            if: .absent
                                        ),
                                    ]
                                }
                        )
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let named = made.compactMap { try? $0.get() }.filter { $0.link.naming != nil }
            #expect(named.count == 320 && named.count { $0.effect == .made } == 40)
            #expect(Set(named.map(\.link.code)).count == 40)
            let given = made.compactMap { try? $0.get() }.filter { $0.link.naming == nil }
            #expect(given.count == 40 && Set(given.map(\.link.code.folded)).count == 40)
            let page = try await stores[0].shortLinks(ShortLinkFilter(), after: nil, limit: 1000)
            #expect(page.links.count == 80)
        }
    }

    @Test func `codes that differ in case alone are given by one replica or imported by the other, never both`()
        async throws
    {
        try await withReplicas { stores in
            for number in 0..<60 {
                async let imported = stores[0].saveEach([Fixture.write("Code-\(number)", kind: .imported)])
                async let given = stores[1].saveEach([Fixture.write("code-\(number)", kind: .given)])
                let outcomes = try await imported + given
                #expect(outcomes.count { (try? $0.get()) != nil } == 1, "\(number)")
            }
        }
    }

    @Test func `imports on all replicas wait for each other, and end`() async throws {
        try await withReplicas { stores in
            try await withThrowingTaskGroup { group in
                for maker in 0..<6 {
                    group.addTask {
                        let numbers = maker % 2 == 0 ? Array(0..<500) : (0..<500).reversed()
                        let kind: ShortLinkKind = maker < 4 ? .imported : .given
                        for slice in stride(from: 0, to: 500, by: 100) {
                            let writes = try numbers[slice..<slice + 100]
                                .map { try Fixture.write("Code-\($0)", kind: kind, if: .absent) }
                            _ = try await stores[maker % 2].saveEach(writes)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await stores[0].shortLinks(ShortLinkFilter(), after: nil, limit: 1000).links.count == 500)
        }
    }

    @Test func `a quota holds for all replicas together`() async throws {
        try await withReplicas { stores in
            let user = try StoreFixture.id("ada")
            let contents = ShortLinkContents(target: Fixture.target(), about: user)
            let quota = ShortLinkQuota(user: user, maximumCount: 3, since: Fixture.time(0))
            let made = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        do {
                            return try await stores[number % 2].save(Fixture.drawn(contents, quota: quota)).isNew
                        } catch ShortLinkWriteError.tooManyLinks {
                            return false
                        }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(made == 3)
        }
    }

    @Test func `a database of the schema before gets short links, and keeps its tokens`() async throws {
        try await PostgresFixture.with { fixture in
            try await PostgresFixture.with(fixture.uri) { connection throws(PostgresError) in
                _ = try Migrations.run(connection, upTo: 6)
            }
            for name in ["short_link", "short_link_turn"] {
                #expect(try await fixture.number("SELECT count(to_regclass('\(name)'))") == 0)
            }
            try await fixture.run("INSERT INTO user_state VALUES ('ada', 3, NULL, NULL, 4, 9, 9)")
            let store = try await fixture.open(.offline(creating: false))
            #expect(store.upgrade?.from == 6 && store.upgrade?.to == Migrations.version)
            #expect(try await fixture.number("SELECT count(*) FROM short_link_turn") == 256)
            #expect(try await store.save(Fixture.write("sale")).isNew)
            #expect(try await store.state(of: StoreFixture.id("ada"))?.version == 4)
            let token = ServiceToken(
                id: ServiceTokenID.random(),
                digest: [UInt8](repeating: 7, count: 32),
                role: .publisher,
                note: "",
                created: Fixture.time(1)
            )
            try await store.add(token)
            #expect(try await store.serviceTokens() == [token])
            store.close()
        }
    }

    @Test func `a link withdrawn on one replica is gone on the other within the staleness`() async throws {
        try await withReplicas { stores in
            let code = try Fixture.code("sale")
            #expect(try await stores[1].link(for: code).value == .current(nil))
            _ = try await stores[0].save(Fixture.write("sale"))
            try await Task.sleep(for: .seconds(2))
            #expect(try await stores[1].link(for: code).value.link?.version == 1)
            // A machine that is busy may be away for the time that an entry is good for.
            var isCached = false
            for _ in 0..<100 where !isCached {
                _ = try await stores[1].link(for: code).value
                isCached = try stores[1].cachedLink(for: code) != nil
            }
            #expect(isCached)
            #expect(try await stores[0].withdraw(Fixture.removal("sale")) != nil)
            #expect(try await stores[0].link(for: code).value.link?.contents.isWithdrawn == true)
            try await Task.sleep(for: .seconds(2))
            #expect(try await stores[1].link(for: code).value.link?.contents.isWithdrawn == true)
        }
    }

    @Test func `a copy of a file has its links, histories and erased codes`() async throws {
        try await StoreFixture.with { file in
            let source = try file.offline()
            for slice in 0..<3 {
                let writes = try (0..<700)
                    .map { number in
                        let index = slice * 700 + number
                        let contents = ShortLinkContents(
                            host: number % 3 == 0 ? "go.example.com" : nil,
                            target: Fixture.target("\(index)", route: "route-\(number % 7)"),
                            label: number % 2 == 0 ? try Fixture.label("é, \"\(number % 5)\"") : nil,
                            expires: number % 4 == 0 ? Fixture.time(5000) : nil,
                            about: number % 100 == 0 ? try StoreFixture.id("ada") : nil,
                            signature: number % 9 == 0 ? ShortLinkSignature(end: nil) : nil
                        )
                        let naming = number % 5 == 0 ? try Fixture.naming("name \(index)") : nil
                        return try Fixture.write("Code-\(index)", kind: .imported, naming: naming, contents)
                    }
                for outcome in try await source.saveEach(writes) { _ = try outcome.get() }
            }
            #expect(try await source.withdraw(Fixture.removal("Code-5")) != nil)
            let erasure = UserStateRemoval(
                id: try StoreFixture.id("ada"),
                time: Fixture.time(9000),
                author: "test",
                isErasure: true
            )
            #expect(try await source.remove(erasure))
            try await PostgresFixture.with { fixture in
                let counts = try await DatabaseCopy.run(
                    to: try fixture.location,
                    metadata: source.metadata(),
                    continuationKey: [UInt8](repeating: 9, count: 32),
                    contents: { body in try source.visitContents(body) }
                )
                #expect(counts[.shortLink] == 2079 && counts[.shortLinkChange] == 2 && counts[.erasedShortLink] == 21)
                let copy = try await fixture.open()
                let all = try source.shortLinks(ShortLinkFilter(), after: nil, limit: 5000).links
                #expect(all.count == 2079)
                #expect(try await copy.shortLinks(ShortLinkFilter(), after: nil, limit: 5000).links == all)
                let code = try Fixture.code("Code-5")
                #expect(
                    try await copy.history(of: code, after: 0, limit: 9)
                        == source.history(of: code, after: 0, limit: 9)
                )
                #expect(try await copy.labels() == source.labels())
                await #expect(throws: ShortLinkWriteError.codeTaken(by: nil)) {
                    try await copy.save(Fixture.write("Code-100", kind: .imported))
                }
                // Numbers go on behind those that were copied.
                let next = try await copy.save(Fixture.drawn()).link
                #expect(try await copy.shortLinks(ShortLinkFilter(), after: nil, limit: 5000).links.last == next)
                copy.close()
            }
            try source.close()
        }
    }
}
