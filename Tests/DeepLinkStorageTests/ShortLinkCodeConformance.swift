import DeepLinkCore
import DeepLinkStorage
import Synchronization
import Testing

/// Tests of how every store finds, draws and refuses codes.
@Suite struct ShortLinkCodeConformance {
    private typealias Fixture = ShortLinkFixture

    @Test(arguments: StoreKind.allCases)
    func `a code is found as written first, then as its kind allows`(_ kind: StoreKind) async throws {
        let drawn = try Fixture.code("ab01cd0123")
        try await ShortLinkStores.with(kind, codeGenerator: ShortLinkCodeGenerator { _ in drawn }) { stores in
            let links = stores.links
            #expect(try await stores.find("ab01cd0123") == nil)
            let server = try await links.save(Fixture.drawn())
            #expect(server.isNew && server.link.code == drawn && server.link.kind == .drawn)
            let given = try await links.save(Fixture.write("SummerSale")).link
            let imported = try await links.save(Fixture.write("AbC-1", kind: .imported)).link
            for spelling in ["ab01cd0123", "AB01CD0123", "abolcdo123", "ABOICD0I23"] {
                #expect(try await stores.find(spelling) == server.link, "\(spelling)")
            }
            for spelling in ["SummerSale", "summersale", "SUMMERSALE"] {
                #expect(try await stores.find(spelling) == given, "\(spelling)")
            }
            #expect(try await stores.find("AbC-1") == imported)
            for spelling in ["abc-1", "ABC-1", "AbC-l", "Summer5ale", "ab01cd012", "ab01cd01234"] {
                #expect(try await stores.find(spelling) == nil, "\(spelling)")
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a code that exists in other letters is taken, unless both are imported`(_ kind: StoreKind) async throws {
        try await ShortLinkStores.with(kind) { stores in
            let links = stores.links
            let given = try await links.save(Fixture.write("Sale")).link
            let imported = try await links.save(Fixture.write("Xyz", kind: .imported)).link
            for (code, kind, former) in [
                ("sale", ShortLinkKind.given, given), ("SALE", .imported, given), ("xYz", .given, imported),
            ] {
                await #expect(throws: ShortLinkWriteError.codeTaken(by: former), "\(code)") {
                    try await links.save(Fixture.write(code, kind: kind))
                }
            }
            let other = try await links.save(Fixture.write("xYZ", kind: .imported, at: 2000)).link
            #expect(try await stores.find("Xyz") == imported)
            #expect(try await stores.find("xYZ") == other)
            #expect(try await stores.find("xyz") == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a spelling that a drawn code answers to is taken, also once it is erased`(_ kind: StoreKind) async throws {
        let (drawn, other) = (try Fixture.code("ab01cd0123"), try Fixture.code("ab01cd4567"))
        let isFirst = Atomic(true)
        let codeGenerator = ShortLinkCodeGenerator { _ in isFirst.exchange(false, ordering: .relaxed) ? drawn : other }
        try await ShortLinkStores.with(kind, codeGenerator: codeGenerator) { stores in
            let server = try await stores.links.save(Fixture.drawn()).link
            for (code, kind) in [("abOlcd0I23", ShortLinkKind.given), ("abo1cd0123", .imported)] {
                await #expect(throws: ShortLinkWriteError.codeTaken(by: server), "\(code)") {
                    try await stores.links.save(Fixture.write(code, kind: kind))
                }
            }
            // A given code answers to no other letters, so they are free.
            _ = try await stores.links.save(Fixture.write("00111"))
            #expect(try await stores.links.save(Fixture.write("o0il1")).isNew)
            let about = ShortLinkContents(target: Fixture.target(), about: try StoreFixture.id("ada"))
            let second = try await stores.links.save(Fixture.drawn(about)).link
            #expect(second.code == other)
            #expect(try await stores.erase("ada"))
            await #expect(throws: ShortLinkWriteError.codeTaken(by: nil)) {
                try await stores.links.save(Fixture.write("abo1cd4567"))
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `codes that are taken are drawn again, also those of one request`(_ kind: StoreKind) async throws {
        let count = Atomic(0)
        // Each code comes three times, and each look-alike of the first is another code.
        let codeGenerator = ShortLinkCodeGenerator { length in
            let number = count.add(1, ordering: .relaxed).oldValue / 3
            var generator = CountingGenerator(number: UInt64(number))
            return ShortLinkCode(drawing: length, from: &generator)
        }
        try await ShortLinkStores.with(kind, codeGenerator: codeGenerator) { stores in
            let writes = (0..<20).map { _ in Fixture.drawn() }
            let codes = try await stores.links.saveEach(writes).map { try $0.get().link.code }
            #expect(Set(codes).count == 20)
            let next = try await stores.links.save(Fixture.drawn(count: 16)).link.code
            #expect(!codes.contains(next) && next.text.utf8.count == 16)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a source of taken codes alone is an error, and makes nothing`(_ kind: StoreKind) async throws {
        let only = try Fixture.code("0000000000")
        try await ShortLinkStores.with(kind, codeGenerator: ShortLinkCodeGenerator { _ in only }) { stores in
            let first = try await stores.links.save(Fixture.drawn()).link
            await #expect(throws: (any Error).self) { try await stores.links.save(Fixture.drawn(at: 2000)) }
            #expect(try await stores.find("0000000000") == first)
            let page = try await stores.links.shortLinks(ShortLinkFilter(), after: nil, limit: 10)
            #expect(page.links == [first])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `eight makers at once make each named link once, and no code twice`(_ kind: StoreKind) async throws {
        try await ShortLinkStores.with(kind) { stores in
            let links = stores.links
            let made = try await withThrowingTaskGroup(of: [ShortLinkWriteResult].self) { group in
                for maker in 0..<8 {
                    group.addTask {
                        var saved: [ShortLinkWriteResult] = []
                        for number in 0..<25 {
                            let naming = try Fixture.naming("name \((number + maker) % 25)")
                            saved.append(try await links.save(Fixture.drawn(naming: naming)))
                            saved.append(try await links.save(Fixture.drawn()))
                        }
                        return saved
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(made.count == 400 && made.count { $0.effect == .made } == 225)
            #expect(Set(made.map(\.link.code)).count == 225)
            let named = Dictionary(grouping: made.map(\.link).filter { $0.naming != nil }) { $0.naming?.name }
            #expect(named.count == 25 && named.values.allSatisfy { Set($0).count == 1 })
            let page = try await links.shortLinks(ShortLinkFilter(), after: nil, limit: 1000)
            #expect(page.links.count == 225 && page.next == nil)
        }
    }
}

/// A generator of one number.
private struct CountingGenerator: RandomNumberGenerator {
    let number: UInt64

    mutating func next() -> UInt64 { number }
}
