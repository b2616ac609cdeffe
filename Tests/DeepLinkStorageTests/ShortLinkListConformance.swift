import DeepLinkCore
import DeepLinkStorage
import Testing

/// Tests of how every store lists, counts and erases short links.
@Suite struct ShortLinkListConformance {
    private typealias Fixture = ShortLinkFixture

    /// Makes 30 links in a known order: of three routes, every second with a label, every fifth about a user, every
    /// sixth withdrawn, every tenth with an end.
    private func fill(_ stores: ShortLinkStores) async throws -> [ShortLink] {
        let writes = try (0..<30)
            .map { number in
                let contents = ShortLinkContents(
                    target: Fixture.target("\(number)", route: "route-\(number % 3)"),
                    label: number % 2 == 0 ? try Fixture.label("even") : nil,
                    expires: number % 10 == 0 ? Fixture.time(5000) : nil,
                    about: number % 5 == 0 ? try StoreFixture.id("ada") : nil
                )
                // In no order of the letters.
                return try Fixture.write(
                    "c\((number * 7) % 30)-x",
                    contents,
                    withdrawal: number % 6 == 0 ? .withdrawn : .unspecified
                )
            }
        return try await stores.links.saveEach(writes).map { try $0.get().link }
    }

    private func list(_ stores: ShortLinkStores, _ filter: ShortLinkFilter, limit: Int) async throws -> [ShortLink] {
        var (links, position): ([ShortLink], ShortLinkPosition?) = ([], nil)
        repeat {
            let page = try await stores.links.shortLinks(filter, after: position, limit: limit)
            #expect(page.links.count <= limit)
            links += page.links
            position = page.next
        } while position != nil
        return links
    }

    @Test(arguments: StoreKind.allCases)
    func `lists are in the order of the making, whatever they are filtered by`(_ kind: StoreKind) async throws {
        try await ShortLinkStores.with(kind) { stores in
            let all = try await fill(stores)
            let (label, user) = (try Fixture.label("even"), try StoreFixture.id("ada"))
            let shapes = [Fixture.target(route: "route-0").shape, Fixture.target(route: "route-2").shape]
            let now = Fixture.time(6000)
            for filter in [
                ShortLinkFilter(), ShortLinkFilter(route: "route-1"), ShortLinkFilter(route: "route"),
                ShortLinkFilter(shapes: shapes), ShortLinkFilter(shapes: []), ShortLinkFilter(label: label),
                ShortLinkFilter(label: try Fixture.label("odd")), ShortLinkFilter(about: user),
                ShortLinkFilter(route: "route-0", label: label, about: user),
                ShortLinkFilter(storedState: .current(at: now)), ShortLinkFilter(storedState: .expired(at: now)),
                ShortLinkFilter(storedState: .withdrawn), ShortLinkFilter(route: "route-0", storedState: .withdrawn),
                ShortLinkFilter(label: label, storedState: .expired(at: now)),
            ] {
                let wanted = all.filter { filter.includes($0.contents) }
                for limit in [1, 7, 100] {
                    #expect(try await list(stores, filter, limit: limit) == wanted, "\(filter) \(limit)")
                }
            }
            let place = try #require(try await stores.links.position(after: all[4].code))
            let page = try await stores.links.shortLinks(ShortLinkFilter(), after: place, limit: 3)
            #expect(page.links == Array(all[5...7]))
            #expect(try await stores.links.position(after: Fixture.code("nothing")) == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `links are counted by shape, and labels are those in use`(_ kind: StoreKind) async throws {
        try await ShortLinkStores.with(kind) { stores in
            #expect(try await stores.links.shapeCounts().isEmpty)
            #expect(try await stores.links.labels().isEmpty)
            _ = try await fill(stores)
            let counts = try await stores.links.shapeCounts()
            #expect(counts.map(\.shape.route) == ["route-0", "route-1", "route-2"])
            #expect(counts.map(\.count) == [5, 10, 10])
            #expect(try await stores.links.labels() == [Fixture.label("even")])
            let other = ShortLinkContents(target: Fixture.target(), label: try Fixture.label("a"))
            _ = try await stores.links.save(Fixture.write("single", other))
            #expect(try await stores.links.labels().map(\.text) == ["a", "even"])
            _ = try await stores.links.save(Fixture.write("single", ShortLinkContents(target: Fixture.target())))
            #expect(try await stores.links.labels().map(\.text) == ["even"])
        }
    }

    @Test(arguments: [StoreKind.sqlite] + StoreKind.allCases.filter { $0 == .postgres })
    func `labels are bounded, and one that nothing has gives way`(_ kind: StoreKind) async throws {
        try await ShortLinkStores.with(kind) { stores in
            func write(_ number: Int, label: String?) throws -> ShortLinkWrite {
                let label = try label.map { try Fixture.label($0) }
                return try Fixture.write("code\(number)", ShortLinkContents(target: Fixture.target(), label: label))
            }
            for slice in 0..<10 {
                let writes = try (0..<1000).map { try write(slice * 1000 + $0, label: "label \(slice * 1000 + $0)") }
                for outcome in try await stores.links.saveEach(writes) { _ = try outcome.get() }
            }
            await #expect(throws: ShortLinkWriteError.tooManyLabels) {
                try await stores.links.save(write(10_000, label: "one more"))
            }
            #expect(try await stores.find("code10000") == nil)
            _ = try await stores.links.save(write(10_001, label: "label 5"))
            _ = try await stores.links.save(write(7, label: nil))
            #expect(try await stores.links.save(write(10_000, label: "one more")).isNew)
            await #expect(throws: ShortLinkWriteError.tooManyLabels) {
                try await stores.links.save(write(10_002, label: "label 7"))
            }
            #expect(try await stores.links.labels().count == ShortLinkLabel.maximumCount)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an erasure takes the links about a user, and their codes are never given again`(_ kind: StoreKind)
        async throws
    {
        try await ShortLinkStores.with(kind) { stores in
            let links = stores.links
            let contents = ShortLinkContents(
                target: Fixture.target(),
                label: try Fixture.label("personal"),
                about: try StoreFixture.id("ada")
            )
            let naming = try Fixture.naming("for ada")
            _ = try await links.save(Fixture.write("ForAda", naming: naming, contents))
            _ = try await links.save(
                Fixture.write("ForAda", ShortLinkContents(target: Fixture.target("9"), about: contents.about), at: 1500)
            )
            _ = try await links.save(Fixture.write("old-ada", kind: .imported, contents))
            let other =
                try await links.save(
                    Fixture.write("for-bob", ShortLinkContents(target: Fixture.target(), about: StoreFixture.id("bob")))
                )
                .link
            for code in ["ForAda", "forada", "old-ada"] { _ = try await stores.find(code) }
            // There is no other record of the user.
            #expect(try await stores.erase("ada"))
            #expect(try await !stores.erase("ada"))
            for code in ["ForAda", "forada", "old-ada"] { #expect(try await stores.find(code) == nil, "\(code)") }
            #expect(try await links.history(of: Fixture.code("ForAda"), after: 0, limit: 9).isEmpty)
            #expect(try await links.storedLink(named: naming.name) == nil)
            #expect(try await list(stores, ShortLinkFilter(), limit: 10) == [other])
            #expect(try await links.labels().isEmpty)
            for code in ["ForAda", "FORADA", "old-ada"] {
                for kind in ShortLinkKind.allCases {
                    await #expect(throws: ShortLinkWriteError.codeTaken(by: nil), "\(code) \(kind)") {
                        try await links.save(Fixture.write(code, kind: kind, withdrawal: .restored))
                    }
                }
            }
            // The name is free.
            #expect(try await links.save(Fixture.drawn(naming: naming)).isNew)
            // A deletion that is no erasure leaves links.
            _ = try await stores.users.save(StoreFixture.write("bob"))
            let deletion = UserStateRemoval(id: try StoreFixture.id("bob"), time: Fixture.time(9000), author: "test")
            #expect(try await stores.users.remove(deletion))
            #expect(try await stores.find("for-bob") == other)
        }
    }
}
