import DeepLinkCore
import DeepLinkReporting
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Tests of the answers to visitors that are kept, which must be those that are made.
@Suite struct PageCacheTests {
    private static func page(_ bytes: [UInt8], isLasting: Bool = true) -> PageCache.Page {
        let visit = PageVisit(.page, of: nil, plan: nil)
        return PageCache.Page(EndpointResponse(.html, bytes: bytes), to: visit, isLasting: isLasting)
    }

    /// Returns how many of so many pages for a key are made.
    private static func madeCount(of count: Int, for key: [UInt8], in pages: PageCache, _ page: PageCache.Page)
        throws -> Int
    {
        let catalog = try Self.catalog.get()
        var made = 0
        for _ in 0..<count {
            _ = pages.page(for: key, in: catalog) {
                made += 1
                return page
            }
        }
        return made
    }

    private static let catalog = Result { try SampleApp.catalog() }

    @Test func `an answer is worth keeping when its link comes again`() throws {
        let pages = PageCache()
        let key = Array("https://links.example.com/p/7".utf8)
        #expect(try Self.madeCount(of: 4, for: key, in: pages, Self.page([1])) == 2)
        #expect(try Self.madeCount(of: 1, for: key + [0], in: pages, Self.page([1])) == 1)
    }

    @Test func `large answers, and those that depend on more than their link, are not kept`() throws {
        let pages = PageCache()
        let large = Self.page(Array(repeating: 0, count: 16 * 1024 + 1))
        #expect(try Self.madeCount(of: 4, for: [1], in: pages, large) == 4)
        #expect(try Self.madeCount(of: 4, for: [2], in: pages, Self.page(Array(repeating: 0, count: 16 * 1024))) == 2)
        #expect(try Self.madeCount(of: 4, for: [3], in: pages, Self.page([1], isLasting: false)) == 4)
    }

    @Test func `there are no more than 512`() throws {
        let pages = PageCache()
        let keys = (0..<4_000).map { Array("https://links.example.com/p/\($0)".utf8) }
        for key in keys { _ = try Self.madeCount(of: 2, for: key, in: pages, Self.page(key)) }
        let count = try keys.count { try Self.madeCount(of: 1, for: $0, in: pages, Self.page($0)) == 0 }
        #expect((256...512).contains(count))
    }

    // MARK: Answers

    private static let paths = [
        "/p/7", "/p/7?utm_source=mail", "/p/8", "/c/books", "/orders/x", "/nowhere", "/", "/basket",
    ]
    private static let agents = [
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", "Mozilla/5.0 (Linux; Android 15)",
        "Mozilla/5.0 (X11; Linux x86_64)", "Twitterbot/1.0",
    ]
    private static let languages = ["", "en", "de-DE,de;q=0.9,en;q=0.8", "ar"]

    /// Returns a visitor's request for a page, or a program's for a plan.
    private static func request(_ generator: inout SeededGenerator) -> [UInt8] {
        var head = "GET \(generator.pick(paths)) HTTP/1.1\r\nHost: links.example.com\r\n"
        head += "User-Agent: \(generator.pick(agents))\r\n"
        head += "Accept: \(generator.pick(["text/html", "text/html,*/*;q=0.8", "application/json"]))\r\n"
        let language = generator.pick(languages)
        if !language.isEmpty { head += "Accept-Language: \(language)\r\n" }
        return Array("\(head)X-Request-Id: one\r\n\r\n".utf8)
    }

    @Test(arguments: 0..<4) func `a kept page is the one that is made`(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let keeping = try EmbeddedConnection(TestServer.service(.openLinkDomain))
        for _ in 0..<max(Effort.part(of: 1_000), 200) {
            let request = Self.request(&generator)
            let new = try Self.answer(to: request, by: EmbeddedConnection(TestServer.service(.openLinkDomain)))
            #expect(try Self.answer(to: request, by: keeping) == new)
        }
    }

    private static func answer(to request: [UInt8], by connection: EmbeddedConnection) throws -> ReceivedResponse {
        var bytes = ArraySlice(try connection.sendAll(request).text.utf8)
        return try #require(ReceivedResponse(&bytes, isHead: false))
    }

    @Test func `a signed link is checked each time`() throws {
        let time = Mutex(TestServer.now)
        let service = try TestServer.service(.signed, now: { time.withLock(\.self) })
        let connection = try EmbeddedConnection(service)
        let query = "exp=1800000000&sig=k2.JesEWB01Basqq8P9a_sa_qVzi36Kl8SxsPYSYMHxY3M"
        let head = "Host: shop.example\r\nAccept: text/html\r\nUser-Agent: \(Self.agents[2])\r\n\r\n"
        let request = Array("GET /offer/spring?\(query) HTTP/1.1\r\n\(head)".utf8)
        for _ in 0..<4 { #expect(try connection.send(request).answered == [200]) }
        time.withLock { $0 = Timestamp(millisecondsSinceEpoch: 1_800_000_000_000) }
        #expect(try connection.send(request).answered == [404])
    }
}
