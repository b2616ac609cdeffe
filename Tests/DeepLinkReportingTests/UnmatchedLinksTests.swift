import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import Testing

/// Tests of the links in a report that nothing matched.
@Suite
struct UnmatchedLinksTests {
    private static let text = """
        version: 1
        origins: [{ scheme: https, hosts: [shop.example] }, { scheme: shop, authority: segment }]
        entry: { post: root }
        routes: { post: { path: "post/{id}", parameters: { id: int } } }
        """

    /// Returns the links of a report, each with its count, after each link was asked for so often.
    private static func report(_ links: [(link: String, count: Int)]) throws -> [String: Int] {
        let catalog = try CatalogLoader.load(Array(text.utf8), file: "shop.yaml")
        let time = Timestamp(millisecondsSinceEpoch: 1_795_000_000_000)
        let counts = ResolutionCounts(since: time)
        for (link, count) in links {
            for number in 0..<count {
                let text = link.replacing("#", with: "\(number)")
                let request = ResolutionRequest(link: try DeepLink(text))
                counts.observe(
                    LinkEvent(.failed(.noMatchingRoute, unmatched: nil), of: request, catalog: catalog, at: time)
                )
            }
        }
        let report = counts.report(at: time)
        #expect(report.unmatchedTotal == links.reduce(0) { $0 + $1.count })
        return Dictionary(uniqueKeysWithValues: report.unmatched.map { ($0.text.string, $0.count) })
    }

    @Test
    func `a first segment that many requests share is shown, and no longer counted among the rest`() throws {
        let report = try Self.report([
            ("https://shop.example/posts/#", 30), ("https://shop.example/u/ann", 3), ("shop://posts/#", 20),
            ("https://shop.example/post/x/#?colour=red", 25), ("shop:///my-Orders/#", 21),
        ])
        #expect(
            report == [
                "https://shop.example/posts/…": 30, "https://shop.example/…/…": 3, "shop://posts/…": 20,
                "https://shop.example/post/…/…?…=…": 25, "shop:///my-Orders/…": 21,
            ]
        )
    }

    @Test
    func `the segment at which a match ends is shown, and neither values before it nor what follows`() throws {
        let catalog = try CatalogLoader.load(
            Array(
                """
                version: 1
                origins: [{ scheme: https, hosts: [shop.example], pathPrefix: /app }, { scheme: shop, authority: segment }]
                entry: { home: root }
                routes:
                  home: { path: "", opens: { user: push } }
                  user: { path: "user/{name}", parameters: { name: string }, opens: { posts: push } }
                  posts: { path: "posts/of/{year}", parameters: { year: int } }
                """
                .utf8
            ),
            file: "shop.yaml"
        )
        let time = Timestamp(millisecondsSinceEpoch: 1_795_000_000_000)
        let counts = ResolutionCounts(since: time)
        let links = [
            "https://shop.example/app/user/ann/photoz/ann", "https://shop.example/app/usr/ann", "shop://user/ann/likez",
            "shop://usr/ann", "https://shop.example/app/user/ann/posts/ann",
        ]
        for link in links {
            let request = ResolutionRequest(link: try DeepLink(link))
            guard case .failure(let failure) = resolve(request, permissions: .all, catalog: catalog) else {
                Issue.record("\(link) leads somewhere")
                continue
            }
            for _ in 0..<20 {
                counts.observe(
                    LinkEvent(
                        .failed(.noMatchingRoute, unmatched: failure.unmatched),
                        of: request,
                        catalog: catalog,
                        at: time
                    )
                )
            }
        }
        #expect(
            counts.report(at: time).unmatched.map(\.text.string).sorted() == [
                "https://shop.example/app/user/…/photoz/…", "https://shop.example/app/user/…/posts/…",
                "https://shop.example/app/usr/…", "shop://user/…/likez", "shop://usr/…",
            ]
        )
    }

    @Test
    func `a word that only some requests share is never shown`() throws {
        let report = try Self.report([("https://shop.example/posts/#", 19), ("https://shop.example/ann/#", 19)])
        #expect(report == ["https://shop.example/…/…": 38])
    }

    @Test(arguments: [
        "1234", "a1", "7c9e6679-7425", "QmFzZVRo", "aBcDeF", "xqzvwrtk", "wm_x7", "caf%C3%A9", "a%20b", "a.b", "-a",
        "a-",
        "ABC", "abcdefghijklmnopqrstuvwxyz", "bcdfg",
    ])
    func `what looks like an id is never shown, however often it comes`(_ segment: String) throws {
        let report = try Self.report([("https://shop.example/\(segment)/#", 1000)])
        #expect(report == ["https://shop.example/…/…": 1000])
    }

    @Test
    func `what stands behind the first segment, in the query and in the place of a host is never shown`() throws {
        let report = try Self.report([
            ("https://shop.example/posts/ann?name=ann#ann", 50), ("https://ann.example/posts", 50),
            ("https://shop.example/posts?ann", 50),
        ])
        #expect(
            report == [
                "https://shop.example/posts/…?…=…": 50, "https://…/posts": 50, "https://shop.example/posts?…": 50,
            ]
        )
    }
}
