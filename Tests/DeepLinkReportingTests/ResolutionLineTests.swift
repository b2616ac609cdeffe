import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import Testing
import WaymarkTestSupport

@Suite
struct ResolutionLineTests {
    private static let text = """
        version: 1
        origins: [{ scheme: shop, hosts: [shop.example] }]
        gates: { signedInUser: /login }
        entry: { home: root, login: root }
        routes:
          home: { opens: { item: push, orders: push } }
          login: {}
          item:
            path: "item/{id}"
            parameters: { id: int, color: { type: enum, values: [red, blue] }, note: string }
          orders: { authorizationLevel: signedInUser, parameters: { since: date } }
        """

    private static func catalog() throws -> RouteCatalog {
        try CatalogLoader.load(Array(text.utf8), file: "shop.yaml")
    }

    private static func event(_ link: String, _ level: AuthorizationLevel = .none) throws -> LinkEvent {
        let request = ResolutionRequest(link: try DeepLink(link))
        let catalog = try catalog()
        let outcome: LinkEvent.Outcome =
            switch resolve(request, userLevel: level, catalog: catalog) {
            case .plan(let plan): .resolved(LinkEvent.Resolved(plan))
            case .denial(let denial): .gated(LinkEvent.Gated(denial))
            case .otherApp: .failed(.otherApp, unmatched: nil)
            case .outdated: .failed(.appUpdateRequired, unmatched: nil)
            case .failure: .failed(.noMatchingRoute, unmatched: nil)
            }
        return LinkEvent(
            outcome,
            of: request,
            catalog: catalog,
            at: Timestamp(millisecondsSinceEpoch: 1_795_000_000_000),
            requestID: "r1"
        )
    }

    private static let secret = "geheim"

    @Test(arguments: [
        (
            "shop://shop.example/home/item/424242?color=blue&note=geheim&geheim=geheim#geheim",
            "shop://shop.example/home/item/1?color=red&note=x"
        ),
        ("shop://shop.example/home/item/424242", "shop://shop.example/home/item/1"),
        ("shop://shop.example/home/orders?since=2026-11-22", "shop://shop.example/home/orders?since=2026-01-31"),
        (
            "shop://shop.example/home/geheim/424242?color=geheim&geheim=1#geheim",
            "shop://shop.example/home/…/…?color=…&…=…"
        ),
    ])
    func `a line has a link that replays, and no value`(_ link: String, _ logged: String) throws {
        let line = String(
            decoding: {
                var (writer, bytes) = (ResolutionLine(), [UInt8]())
                writer.write($0, to: &bytes)
                return bytes
            }(try Self.event(link)),
            as: UTF8.self
        )
        #expect(line.contains("\"link\":\"\(logged)\""), "\(line)")
        for value in [Self.secret, "424242", "blue", "2026-11-22"] { #expect(!line.contains(value), "\(line)") }
    }

    @Test(arguments: [
        ("shop://shop.example/home", #""outcome":"resolved","route":"home""#),
        ("shop://shop.example/home/orders", #""outcome":"gated","route":"orders""#),
        ("shop://shop.example/nowhere", #""outcome":"failed","problem":"no-matching-route""#),
    ])
    func `a link is resolved, gated or failed`(_ link: String, _ members: String) throws {
        var (writer, bytes) = (ResolutionLine(), [UInt8]())
        writer.write(try Self.event(link), to: &bytes)
        let line = String(decoding: bytes, as: UTF8.self)
        #expect(line.contains(members), "\(line)")
    }

    @Test
    func `a logged link leads to the same destinations as the one that was asked for`() throws {
        for link in ["shop://shop.example/home/item/7?note=a&color=blue", "shop://shop.example/login"] {
            let event = try Self.event(link, .premiumUser)
            var (writer, bytes) = (ResolutionLine(), [UInt8]())
            writer.write(event, to: &bytes)
            let line = String(decoding: bytes, as: UTF8.self)
            let start = try #require(line.firstRange(of: "\"link\":\"")).upperBound
            let logged = try Self.event(String(line[start...].prefix { $0 != "\"" }), .premiumUser)
            guard case .resolved(let asked) = event.outcome, case .resolved(let replayed) = logged.outcome else {
                Issue.record("\(line)")
                continue
            }
            #expect(asked.plan.edgeNumbers == replayed.plan.edgeNumbers)
        }
    }

    @Test
    func `counts are told by route, gate, hour and problem`() throws {
        let counts = ResolutionCounts(since: Timestamp(millisecondsSinceEpoch: 0))
        for link in ["shop://shop.example/home/item/7", "shop://shop.example/home/item/8"] {
            counts.observe(try Self.event(link))
        }
        counts.observe(try Self.event("shop://shop.example/home/orders"))
        for number in 0..<10 { counts.observe(try Self.event("shop://shop.example/home/geheim\(number)")) }
        let report = counts.report(at: Timestamp(millisecondsSinceEpoch: 1_795_000_000_000))
        #expect(report.total.outcomes == (resolved: 2, gated: 1, failed: 10))
        #expect(report.lastHour.outcomes == (resolved: 2, gated: 1, failed: 10))
        #expect(report.total.gates.map(\.reached) == [0, 1, 0])
        #expect(report.hours.map(\.counts) == [SIMD4(2, 1, 10, 0)])
        #expect(report.unmatched.map(\.text) == ["shop://shop.example/home/…"])
        #expect(report.unmatched.map(\.count) == [10])
        // Asking settles nothing twice.
        #expect(counts.report(at: Timestamp(millisecondsSinceEpoch: 1_795_000_000_000)).total.outcomes.failed == 10)
        let later = counts.report(at: Timestamp(millisecondsSinceEpoch: 1_795_000_000_000 + 3_600_000))
        #expect(later.lastHour.outcomes == (resolved: 0, gated: 0, failed: 0))
        #expect(later.total.outcomes == (resolved: 2, gated: 1, failed: 10))
    }
}

extension String {
    fileprivate func firstRange(of text: String) -> Range<String.Index>? { ranges(of: text).first }
}
