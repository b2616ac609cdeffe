import DeepLinkCore
import DeepLinkPostgres
import DeepLinkSQLite
import DeepLinkStorage
import Testing
import WaymarkTestSupport

/// The behaviour of every store of counts of uses of links.
@Suite struct LinkCountStoreConformance {
    private static let today = CountedDay(number: 20_000)

    private func withStore(_ kind: StoreKind, _ body: (any LinkCountStore) async throws -> Void) async throws {
        try await kind.with(memory: { InMemoryLinkCountStore() }, stored: { $0 }, body)
    }

    private static func addition(
        _ outcome: String = "opened",
        _ count: Int = 1,
        daysAgo: Int = 0,
        route: ByteText = "item",
        label: ByteText = ""
    ) -> CountAddition {
        CountAddition(
            to: .day(today.advanced(by: -daysAgo), route: route, label: label),
            outcome: outcome,
            count: count
        )
    }

    /// Returns each row as a text: its heading, and its counts as they are stored.
    private static func rows(
        _ headings: CountQuery.Headings,
        apps: [ByteText: ByteText] = [:],
        after: CountRow.Heading? = nil,
        limit: Int = 1000,
        in store: any LinkCountStore
    ) async throws -> [String] {
        try await store.counts(CountQuery(headings, apps: apps, after: after, limit: limit))
            .map { row in
                let counts = row.counts.stored.map { "\($0.outcome) \($0.count)" }
                return row.heading.map(\.string).joined(separator: "|") + ": " + counts.joined(separator: ", ")
            }
    }

    private static func days(_ count: Int, by parts: CountQuery.Part...) -> CountQuery.Headings {
        .days(today.advanced(by: 1 - count)...today, by: parts)
    }

    @Test(arguments: StoreKind.allCases.filter { $0 != .memory })
    func `totals of a code end with its link, and once it is about a user`(_ kind: StoreKind) async throws {
        func noStore() -> (any OpenStore)? { nil }
        func same(_ store: any OpenStore) -> (any OpenStore)? { store }
        try await kind.with(memory: noStore, stored: same) { store in
            let store = try #require(store)
            func count(_ codes: String...) async throws {
                let additions = codes.map { CountAddition(to: .code($0.bytewise), outcome: "opened", count: 1) }
                try await store.add(CountSlice(additions))
            }
            func total(_ expected: String...) async throws {
                let rows = try await Self.rows(.codes, in: store)
                #expect(rows == expected.map { "\($0): opened 1" })
            }
            func save(_ code: String, about user: String?) async throws {
                let contents = ShortLinkContents(
                    target: ShortLinkFixture.target(),
                    about: try user.map { try StoreFixture.id($0) }
                )
                _ = try await store.save(ShortLinkFixture.write(code, contents))
            }
            for code in ["later", "ours", "moved"] { try await save(code, about: nil) }
            try await count("later", "moved", "ours")
            try await total("later", "moved", "ours")
            try await save("later", about: "ann")
            try await save("moved", about: "ben")
            try await total("ours")
            // Counts that waited in the memory of a server meanwhile.
            try await count("later", "moved")
            try await total("ours")
            #expect(
                try await store.remove(
                    UserStateRemoval(
                        id: StoreFixture.id("ann"),
                        time: ShortLinkFixture.time(9000),
                        author: "test",
                        isErasure: true
                    )
                )
            )
            try await count("later")
            try await total("ours")
            try await save("moved", about: nil)
            try await count("moved")
            try await total("moved", "ours")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `counts add up by heading and outcome`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            try await store.add(
                CountSlice([
                    Self.addition(), Self.addition("gated:member", 2), Self.addition("page", 3, label: "mail"),
                    Self.addition(route: "home"), Self.addition(daysAgo: 1),
                ])
            )
            try await store.add(CountSlice([Self.addition("opened", 4), Self.addition("gated:pro", 1, route: "")]))
            let (today, yesterday) = (Self.today.text, Self.today.advanced(by: -1).text)
            #expect(
                try await Self.rows(Self.days(30, by: .day), in: store) == [
                    "\(yesterday): opened 1", "\(today): gated:member 2, gated:pro 1, opened 6, page 3",
                ]
            )
            #expect(
                try await Self.rows(Self.days(1, by: .route, .label), in: store) == [
                    "|: gated:pro 1", "home|: opened 1", "item|: gated:member 2, opened 5", "item|mail: page 3",
                ]
            )
            #expect(
                try await Self.rows(Self.days(2, by: .label, .day), in: store) == [
                    "|\(yesterday): opened 1", "|\(today): gated:member 2, gated:pro 1, opened 6",
                    "mail|\(today): page 3",
                ]
            )
            #expect(try await Self.rows(.codes, in: store) == [])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `codes have totals of their own`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            for count in 1...3 {
                try await store.add(
                    CountSlice([
                        CountAddition(to: .code("Summer"), outcome: "page", count: count),
                        CountAddition(to: .code("summer"), outcome: "opened", count: 1), Self.addition(),
                    ])
                )
            }
            #expect(try await Self.rows(.codes, in: store) == ["Summer: page 6", "summer: opened 3"])
            #expect(try await Self.rows(.codes, after: ["Summer"], in: store) == ["summer: opened 3"])
            #expect(try await Self.rows(Self.days(1, by: .route), in: store) == ["item: opened 3"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a question names codes, in any order, and gets those that were counted`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let stored: [ByteText] = ["Summer", "summer", "winter"]
            try await store.add(CountSlice(stored.map { CountAddition(to: .code($0), outcome: "page", count: 1) }))
            func codes(_ named: [ByteText], after: CountRow.Heading? = nil, limit: Int = 10) async throws -> [String] {
                let question = CountQuery(.codes, of: named, after: after, limit: limit)
                return try await store.counts(question).map { $0.heading[0].string }
            }
            #expect(try await codes(["winter", "none", "Summer"]) == ["Summer", "winter"])
            #expect(try await codes(["winter", "Summer"], limit: 1) == ["Summer"])
            #expect(try await codes(["winter", "Summer"], after: ["Summer"]) == ["winter"])
            #expect(try await codes([]) == [])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `pages follow one another in the order of the headings' bytes`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let names: [ByteText] = ["", "B", "a", "b", "b b", "é", "…"]
            let additions = names.flatMap { name in
                (0..<3)
                    .flatMap { day in
                        [Self.addition(daysAgo: day, label: name), Self.addition("gated:x", daysAgo: day, label: name)]
                    }
            }
            try await store.add(CountSlice(additions))
            for headings in [
                Self.days(3, by: .label), Self.days(3, by: .day, .label), Self.days(2, by: .label, .day),
                Self.days(3, by: .label, .route),
            ] {
                let all = try await store.counts(CountQuery(headings, limit: 1000)).map(\.heading)
                #expect(all == all.sorted { $0.lexicographicallyPrecedes($1) } && Set(all).count == all.count)
                for limit in [1, 2, 5] {
                    var found: [CountRow.Heading] = []
                    while true {
                        let page = try await store.counts(CountQuery(headings, after: found.last, limit: limit))
                        #expect(page.allSatisfy { $0.counts[.opened] > 0 && $0.counts.gatedCount > 0 })
                        found += page.map(\.heading)
                        guard page.count == limit else { break }
                    }
                    #expect(found == all)
                }
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `counts add up by the app that a question gives each route`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            // Nothing is counted for `gone`, nor for `Item`, which is another route than `item`.
            let apps: [ByteText: ByteText] = [
                "a \"b\" \\é": "a", "gone": "d", "home": "B", "item": "a", "Item": "c", "jobs": "é",
            ]
            try await store.add(
                CountSlice([
                    Self.addition(), Self.addition("gated:member", 2, daysAgo: 1),
                    Self.addition("page", 3, label: "mail"),
                    Self.addition(route: "home"), Self.addition(route: "jobs"), Self.addition(route: "other"),
                    Self.addition("failed", 5, route: ""), Self.addition("opened", 7, route: "a \"b\" \\é"),
                    Self.addition(daysAgo: 2, route: "jobs"),
                ])
            )
            let (today, yesterday) = (Self.today.text, Self.today.advanced(by: -1).text)
            let all = [": failed 5, opened 1", "B: opened 1", "a: gated:member 2, opened 8, page 3", "é: opened 1"]
            let byApp = Self.days(2, by: .app)
            #expect(try await Self.rows(byApp, apps: apps, in: store) == all)
            for limit in 1...5 {
                let page = try await Self.rows(byApp, apps: apps, limit: limit, in: store)
                #expect(page == Array(all.prefix(limit)))
            }
            #expect(try await Self.rows(byApp, apps: apps, after: [""], limit: 2, in: store) == Array(all[1...2]))
            #expect(try await Self.rows(byApp, apps: apps, after: ["a"], in: store) == [all[3]])
            #expect(
                try await Self.rows(Self.days(2, by: .app, .label, .day), apps: apps, in: store) == [
                    "||\(today): failed 5, opened 1", "B||\(today): opened 1", "a||\(yesterday): gated:member 2",
                    "a||\(today): opened 8", "a|mail|\(today): page 3", "é||\(today): opened 1",
                ]
            )
            #expect(
                try await Self.rows(Self.days(1, by: .route, .app), apps: apps, after: ["home", "B"], in: store) == [
                    "item|a: opened 1, page 3", "jobs|é: opened 1", "other|: opened 1",
                ]
            )
            #expect(
                try await Self.rows(Self.days(1, by: .app), in: store) == [": failed 5, opened 11, page 3"]
            )
            #expect(try await Self.rows(Self.days(1, by: .app), apps: ["x": "y"], after: [""], in: store) == [])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `days before one are dropped, and others stay`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            for day in 0..<3 {
                let additions = (0..<240).map { Self.addition(daysAgo: day, label: "\($0)".bytewise) }
                for _ in 0..<2 { try await store.add(CountSlice(additions)) }
            }
            try await store.add(CountSlice([CountAddition(to: .code("old"), outcome: "opened", count: 1)]))
            var calls = 1
            while try await store.dropCounts(before: Self.today) { calls += 1 }
            #expect(calls <= 1 + 480 / LinkCountLimits.droppedCount + 1)
            #expect(try await Self.rows(Self.days(30, by: .day), in: store) == ["\(Self.today.text): opened 480"])
            #expect(try await Self.rows(.codes, in: store) == ["old: opened 1"])
            #expect(try await !store.dropCounts(before: Self.today))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `writers that come together lose nothing`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            try await withThrowingTaskGroup { group in
                for writer in 0..<8 {
                    group.addTask {
                        for turn in 0..<8 {
                            // Each has another order, and a store must not wait in a circle.
                            let names = (0..<32).map { ($0 * 7 + writer + turn) % 32 }
                            try await store.add(CountSlice(names.map { Self.addition(label: "\($0)".bytewise) }))
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await Self.rows(Self.days(1, by: .day), in: store) == ["\(Self.today.text): opened 2048"])
        }
    }

    @Test(PostgresFixture.isThere)
    func `two replicas add up, and a slice that is sent again is added once`() async throws {
        try await PostgresFixture.with { fixture in
            let (one, other) = (try await fixture.open(), try await fixture.open())
            let slice = CountSlice([Self.addition(), CountAddition(to: .code("c"), outcome: "page", count: 2)])
            for store in [one, other, one] { try await store.add(slice) }
            try await other.add(CountSlice([Self.addition("opened", 5)]))
            for store in [one, other] {
                #expect(try await Self.rows(Self.days(1, by: .route), in: store) == ["item: opened 6"])
                #expect(try await Self.rows(.codes, in: store) == ["c: page 2"])
            }
            one.close()
            other.close()
        }
    }

    @Test func `a file keeps its counts, and one of the version before gets room for them`() async throws {
        try await StoreFixture.with { fixture in
            let first = try fixture.serving()
            try await first.add(CountSlice([Self.addition()]))
            try first.close()
            let second = try fixture.serving()
            try await second.add(CountSlice([Self.addition()]))
            #expect(try await Self.rows(Self.days(1, by: .route), in: second) == ["item: opened 2"])
            try second.close()
        }
    }
}
