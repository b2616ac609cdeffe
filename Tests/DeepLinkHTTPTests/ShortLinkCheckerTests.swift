import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import DeepLinkStorage
@testable import HTTPServer

/// The check of stored links by new catalogs.
@Suite struct ShortLinkCheckerTests {
    private let store = InMemoryUserStateStore(codeGenerator: .seeded())

    private func catalog(_ edits: (part: String, other: String)...) throws -> RouteCatalog {
        var text = TestServer.shortLinks
        for edit in edits {
            #expect(text.contains(edit.part))
            text = text.replacing(edit.part, with: edit.other)
        }
        return try CatalogLoader.load(Array(text.utf8), file: "changed")
    }

    /// Makes links to products, an offer and the account.
    private func makeLinks(products: Int = 3) async throws {
        let catalog = try catalog()
        let paths =
            (0..<products).map { ("product-\($0)", "product/\($0)") } + [("offer", "offer/1"), ("mine", "account")]
        for (code, path) in paths {
            let request = ResolutionRequest(link: try DeepLink("https://shop.example/" + path))
            let plan = try #require(Self.plan(resolve(request, permissions: .all, catalog: catalog)))
            let target = try ShortLinkDestination(plan, signature: nil).target
            _ = try await store.save(
                ShortLinkWrite(
                    code: .given(try #require(ShortLinkCode(code)), kind: .given),
                    contents: ShortLinkContents(target: target),
                    time: TestServer.now,
                    author: "test"
                )
            )
        }
    }

    private static func plan(_ resolution: Resolution) -> RoutePlan? {
        if case .plan(let plan) = resolution { plan } else { nil }
    }

    private func check(
        _ catalog: RouteCatalog,
        because cause: ShortLinkChecker.Cause = .newCatalog
    ) async throws -> ShortLinkCheckReport {
        let checking = ShortLinkChecker(store) { TestServer.now }
        guard case .done(let report) = try await checking.check(catalog, because: cause, isCurrent: { true }) else {
            throw Later()
        }
        return report
    }

    private struct Later: Error {}

    private static let withoutAccount = [
        (part: ", account: sheet", other: ""), (part: "  account: { authorizationLevel: signedInUser }\n", other: ""),
    ]

    @Test func `a new catalog's check reads only the shapes that it concerns`() async throws {
        try await makeLinks()
        #expect(try await check(catalog()).checkedCount == 5)
        #expect(try await check(catalog()).checkedCount == 0)
        // Nothing that decides about links.
        #expect(try await check(catalog(("title: \"Product\"", "title: \"Thing\""))).checkedCount == 0)
        let renamed = try await check(catalog(("product/{id}", "article/{id}")))
        #expect(renamed.checkedCount == 3 && renamed.brokenCount == 0)
        let broken = try await check(catalog(Self.withoutAccount[0], Self.withoutAccount[1]))
        #expect(broken.brokenCount == 1 && broken.routes.map(\.route) == ["account"])
        // The products' path is the former one again.
        #expect(broken.checkedCount == 4)
        let whole = try await check(catalog())
        #expect(whole.checkedCount == 1 && whole.brokenCount == 0)
    }

    @Test func `a value that is refused breaks the links that have it`() async throws {
        try await makeLinks(products: 9)
        _ = try await check(catalog())
        let report = try await check(catalog(("id: int }, web:", "id: { type: int, min: 6 } }, web:")))
        #expect(report.checkedCount == 9 && report.brokenCount == 6)
    }

    @Test func `by and by, what was broken and what is new is checked again`() async throws {
        try await makeLinks()
        let catalog = try catalog(Self.withoutAccount[0], Self.withoutAccount[1])
        #expect(try await check(catalog).brokenCount == 1)
        let code = try #require(ShortLinkCode("mine"))
        _ = try await store.withdraw(ShortLinkRemoval(code: code, time: TestServer.now, author: "test"))
        #expect(try await check(catalog).brokenCount == 1)
        let later = try await check(catalog, because: .time)
        #expect(later.brokenCount == 0 && later.checkedCount == 0)
        // Another server has checked another catalog: time alone does not undo that.
        let other = try self.catalog(("product/{id}", "article/{id}"))
        #expect(try await check(other, because: .time).checkedCount == 0)
        #expect(try await check(catalog).checkedCount == 0)
    }

    @Test func `a check ends when another catalog comes in force`() async throws {
        try await makeLinks()
        let checking = ShortLinkChecker(store) { TestServer.now }
        #expect(try await checking.check(try catalog(), because: .newCatalog, isCurrent: { false }) == .later)
        #expect(try await check(catalog()).checkedCount == 5)
    }

    @Test func `the links that a catalog would break are counted by route beforehand`() async throws {
        try await makeLinks(products: 9)
        let pass = ShortLinkScan(store, isServing: false) { TestServer.now }
        let old = try catalog()
        #expect(try await pass.breaks(from: old, to: old) == [])
        let new = try catalog(
            Self.withoutAccount[0],
            Self.withoutAccount[1],
            ("id: int }, web:", "id: { type: int, min: 6 } }, web:")
        )
        #expect(
            try await pass.breaks(from: old, to: new) == [
                ShortLinkBreak(route: "account", count: 1, target: "https://shop.example/account"),
                ShortLinkBreak(route: "product", count: 6, target: "https://shop.example/product/0"),
            ]
        )
        #expect(try await pass.breaks(from: new, to: old) == [])
    }
}
