import DeepLinkCore
import DeepLinkStorage
import Synchronization
import Testing
import WaymarkTestSupport

/// Tests of what is remembered of short links, against a store that a test plays.
@Suite struct ShortLinkCacheTests {
    private typealias Fixture = ShortLinkFixture

    /// The version that a store would have.
    private final class Stored: Sendable {
        let version = Mutex(0)
    }

    private func cache(_ capacity: Int = 1000, lease: Duration = .seconds(86_400)) -> ShortLinkCache {
        ShortLinkCache(capacity: capacity, lease: lease)
    }

    private func link(_ code: String, version: Int = 1) throws -> ShortLink {
        ShortLink(
            code: try Fixture.code(code),
            kind: .given,
            naming: nil,
            contents: Fixture.contents(of: "7"),
            version: version,
            createdAt: Fixture.time(1000),
            author: "test",
            updatedAt: Fixture.time(1000)
        )
    }

    private func remember(_ link: ShortLink?, as code: String, in cache: ShortLinkCache) throws {
        let code = try Fixture.code(code)
        cache.remember(link, for: code, ticket: cache.ticket(for: code))
    }

    @Test func `a read is remembered for the spelling that was asked, and so is a code without a link`() throws {
        let (cache, sale) = (cache(), try link("sale"))
        try remember(sale, as: "SALE", in: cache)
        try remember(nil, as: "guess", in: cache)
        #expect(try cache.find(Fixture.code("SALE"))?.link == sale)
        #expect(try cache.find(Fixture.code("sale")) == nil)
        let none = try #require(try cache.find(Fixture.code("guess")))
        #expect(none.link == nil)
        try remember(nil, as: "SALE", in: cache)
        #expect(try #require(try cache.find(Fixture.code("SALE"))).link == nil)
    }

    @Test func `a change takes all spellings of its code, and no other code`() throws {
        let cache = cache()
        let spellings = ["s01e", "S01E", "soie", "SOLE"]
        for spelling in spellings + ["other"] { try remember(try link("s01e"), as: spelling, in: cache) }
        cache.forget([try Fixture.code("Sole")])
        for spelling in spellings { #expect(try cache.find(Fixture.code(spelling)) == nil, "\(spelling)") }
        #expect(try cache.find(Fixture.code("other")) != nil)
        cache.forgetAll()
        #expect(try cache.find(Fixture.code("other")) == nil)
    }

    @Test(arguments: [false, true])
    func `a read that began before a change leaves nothing`(_ changesAll: Bool) throws {
        let (cache, code) = (cache(), try Fixture.code("sale"))
        let before = cache.ticket(for: code)
        if changesAll { cache.forgetAll() } else { cache.forget([code]) }
        let after = cache.ticket(for: code)
        cache.remember(try link("sale"), for: code, ticket: before)
        #expect(cache.find(code) == nil)
        cache.remember(try link("sale", version: 2), for: code, ticket: after)
        #expect(cache.find(code)?.link?.version == 2)
        // A late answer of before does not replace it either.
        cache.remember(try link("sale"), for: code, ticket: before)
        #expect(cache.find(code)?.link?.version == 2)
    }

    @Test func `a read of before is late, however many changes came since`() throws {
        let (cache, code) = (cache(), try Fixture.code("sale"))
        let before = cache.ticket(for: code)
        cache.forget([code])
        for number in 0..<100_000 { cache.forget([try Fixture.code("code-\(number)")]) }
        cache.remember(try link("sale"), for: code, ticket: before)
        #expect(cache.find(code) == nil)
        try remember(try link("sale", version: 2), as: "sale", in: cache)
        #expect(cache.find(code)?.link?.version == 2)
    }

    @Test func `a change in the store takes what it concerns`() throws {
        let cache = cache()
        let ada = ShortLinkContents(target: Fixture.target(), about: try StoreFixture.id("ada"))
        let removal = UserStateRemoval(
            id: try StoreFixture.id("ada"),
            time: Fixture.time(1),
            author: "test",
            isErasure: true
        )
        let changes: [(RequiredShortLinkRows, isGone: Bool)] = [
            (
                StoreChange.saveLinks([ShortLinkDraft(try Fixture.write("sale"), codeGenerator: .system)]).needs.links,
                true
            ),
            (
                StoreChange.saveLinks([ShortLinkDraft(try Fixture.write("next", ada), codeGenerator: .system)]).needs
                    .links,
                false
            ),
            (StoreChange.withdrawLink(try Fixture.removal("Sale")).needs.links, true),
            (StoreChange.remove(removal).needs.links, true),
            (StoreChange.save([try StoreFixture.write("ada")]).needs.links, false),
        ]
        for (change, isGone) in changes {
            try remember(try link("sale"), as: "sale", in: cache)
            cache.forget(change)
            #expect(try (cache.find(Fixture.code("sale")) == nil) == isGone)
        }
    }

    @Test func `an entry counts until its lease ends, and longer where a stale one will do`() async throws {
        let (cache, code) = (cache(lease: .milliseconds(20)), try Fixture.code("sale"))
        try remember(try link("sale"), as: "sale", in: cache)
        try await Task.sleep(for: .milliseconds(30))
        #expect(cache.find(code) == nil)
        #expect(cache.find(code, within: .seconds(600))?.link?.version == 1)
    }

    @Test func `it remembers no more codes than it may, and those of late`() throws {
        let cache = cache(1600)
        for number in 0..<20_000 { try remember(nil, as: "guess-\(number)", in: cache) }
        let kept = try (0..<20_000).filter { try cache.find(Fixture.code("guess-\($0)")) != nil }
        #expect((100...1600 + 16).contains(kept.count), "\(kept.count)")
        #expect(kept.contains(19_999) && !kept.contains(0))
        // Spellings of one code are bounded, too.
        for bits in 0..<1024 {
            let text = (0..<10).map { bits >> $0 & 1 == 0 ? "o" : "O" }.joined()
            try remember(nil, as: text, in: cache)
        }
        let spellings = try (0..<1024)
            .count { bits in
                let text = (0..<10).map { bits >> $0 & 1 == 0 ? "o" : "O" }.joined()
                return try cache.find(Fixture.code(text)) != nil
            }
        #expect(spellings == 4)
    }

    @Test func `readers and writers at once never bring a change back`() async throws {
        let (cache, code) = (cache(), try Fixture.code("sale"))
        let stored = Stored()
        try await withThrowingTaskGroup { group in
            group.addTask {
                for version in 1...5000 {
                    stored.version.withLock { $0 = version }
                    cache.forget([code])
                    // Acknowledged: from now on nobody is told of the version before.
                    if let link = cache.find(code)?.link { #expect(link.version == version) }
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<5000 {
                        let ticket = cache.ticket(for: code)
                        cache.remember(
                            try link("sale", version: max(stored.version.withLock(\.self), 1)),
                            for: code,
                            ticket: ticket
                        )
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
