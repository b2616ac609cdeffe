import DeepLinkCore
import Testing
import WaymarkTestSupport

/// Laws of links that arrive in other spellings of their origin, on generated catalogs; a failure names its seed.
///
/// `PrintedLinkLawTests` has the law of printed links, the links of gates among them, for each kind of origin alone.
/// Only these catalogs have one host with and without a port, two origins, and fragments of other schemes than https.
@Suite struct OriginLawTests {
    /// A kind of origin, with other spellings of its links.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String

        /// The origins; links are printed under the first.
        let origins: [Origin]

        /// A beginning of the printed links, and beginnings that mean the same.
        var same: [(printed: String, others: [String])] = []
    }

    static let kinds: [Kind] = [
        Kind(
            testDescription: "a scheme",
            origins: [Origin(scheme: "x", hosts: [])],
            same: [("x:///", ["x:/", "X:////"])]
        ),
        Kind(
            testDescription: "hosts with and without a port",
            origins: [Origin(scheme: "x", hosts: ["a:1", "a", "10.0.0.1:19000"])],
            same: [("x://a:1/", ["X://a:01/", "x://a:1//"])]
        ),
        Kind(
            testDescription: "a prefix at a port",
            origins: [Origin(scheme: "x", hosts: ["a:1"], pathPrefix: ["p", "--"])],
            same: [("x://a:1/p/--", ["x://a:1//p/%2D-"])]
        ),
        Kind(
            testDescription: "a web host with a port",
            origins: [Origin(scheme: "https", hosts: ["a.test:8443", "a.test:443"], routesFragment: true)],
            same: [("https://a.test:8443/", ["https://a.test:8443/#/", "https://A.test:8443/#"])]
        ),
        Kind(
            testDescription: "a web host",
            origins: [Origin(scheme: "https", hosts: ["a.test"])],
            same: [("https://a.test/", ["https://a.test:443/", "HTTPS://A.TEST:/"])]
        ),
        Kind(
            testDescription: "the authority is a segment",
            origins: [Origin(scheme: "x", hosts: [], authority: .segment)],
            same: [("x://", ["x:///"])]
        ),
        Kind(
            testDescription: "a prefix is in the place of the host",
            origins: [Origin(scheme: "x", hosts: [], authority: .segment, pathPrefix: ["p"], routesFragment: true)],
            same: [("x://p", ["x:/p", "x:///p"])]
        ),
        Kind(
            testDescription: "the authority is ignored",
            origins: [Origin(scheme: "x", hosts: [], authority: .ignore)],
            same: [("x:///", ["x:/", "x://a/", "x://10.0.0.1:19000/"])]
        ),
        Kind(
            testDescription: "the authority is ignored before a prefix",
            origins: [Origin(scheme: "x", hosts: [], authority: .ignore, pathPrefix: ["--"])],
            same: [("x:///--", ["x:/--", "x://a:0/--"])]
        ),
        Kind(
            testDescription: "no authority",
            origins: [Origin(scheme: "x", hosts: [], authority: .rootless)],
            same: [("x:", ["x:/", "x:///", "X:"])]
        ),
        Kind(
            testDescription: "no authority, a prefix and a fragment",
            origins: [Origin(scheme: "x", hosts: [], authority: .rootless, pathPrefix: ["p"], routesFragment: true)],
            same: [("x:p", ["x:/p", "x:///p"])]
        ),
        Kind(
            testDescription: "web hosts are segments",
            origins: [
                Origin(
                    scheme: "https",
                    hosts: ["a", "b:8443", "b", "*.test:8443"],
                    authority: .segment,
                    pathPrefix: ["p"]
                ),
                Origin(scheme: "https", hosts: ["www.test:81"]),
            ],
            same: [("https://b:8443/", ["https://B:08443/"]), ("https://a/", ["https://a:443/"])]
        ),
    ]

    private func plan(_ text: String, _ catalog: RouteCatalog) throws -> RoutePlan? {
        let request = ResolutionRequest(link: try DeepLink(text, rootless: catalog.rootlessSchemes))
        guard case .plan(let plan) = resolve(request, userLevel: .premiumUser, catalog: catalog) else { return nil }
        return plan
    }

    @Test(arguments: kinds)
    func `every spelling of an origin leads to one stack, and prints one link`(_ kind: Kind) async throws {
        var printed = 0
        var spelled = 0
        for generated in await GeneratedCatalog.all.prefix(Effort.part(of: 2000)) {
            await Task.yield()
            var definition = generated.definition
            definition.origins = kind.origins.map { Located($0, at: CatalogGenerator.location) }
            guard let catalog = try? RouteCatalog(definition) else { continue }
            var generator = LinkGenerator(seed: generated.seed, in: catalog)
            for _ in 0..<2 {
                guard let text = try? link(to: generator.stack(), catalog: catalog) else { continue }
                printed += 1
                let place = "seed \(generated.seed): \(text)"
                let stack = try #require(try plan(text, catalog)?.stack, "\(place)")
                for (start, others) in kind.same where text.utf8.starts(with: start.utf8) {
                    for other in others {
                        let spelling = other + text.dropFirst(start.count)
                        let plan = try plan(spelling, catalog)
                        #expect(plan?.stack == stack, "\(place), but not \(spelling)")
                        #expect(plan?.canonicalLink == text, "\(place), but \(spelling)")
                        spelled += 1
                    }
                }
            }
        }
        #expect(printed > Effort.part(of: 1000), "\(printed)")
        #expect(spelled > Effort.part(of: 100), "\(spelled)")
    }

    @Test(arguments: kinds)
    func `a path in a link's own query is one of the same origin`(_ kind: Kind) throws {
        let location = CatalogGenerator.location
        func route(_ name: String, key: String? = nil) throws -> RouteDefinition {
            let type = ParameterType.scalar(.string(min: nil, max: nil, pattern: nil))
            return RouteDefinition(
                name: Located(name, at: location),
                address: Located(.path(try PathPattern(name == "there" ? "a/there" : "a/go")), at: location),
                link: key.map { Located(Parameter(name: "u", type: type, key: $0, isRequired: true), at: location) }
            )
        }
        let routes = [try route("there"), try route("go", key: "u")]
        let catalog = try RouteCatalog(
            CatalogDefinition(
                version: "t",
                origins: kind.origins.map { Located($0, at: location) },
                gates: [],
                entry: routes.map { EdgeDefinition(route: $0.name, presentation: .root) },
                routes: routes
            )
        )
        let there = try link(to: [Destination(route: "there", presentation: .root)], catalog: catalog)
        let go = there.replacing("/there", with: "/go")
        // A host that is a segment of web links stays.
        let path = kind.origins.contains { $0.isWeb && $0.authority == .segment } ? "/there" : "/a/there"
        let found = try plan("\(go)?u=\(path)", catalog)
        #expect(found?.stack.map(\.route) == ["there"], "\(go)?u=\(path)")
        #expect(found?.canonicalLink == there)
        #expect(try plan("\(go)?u=\(PercentEncoding.encode(there))", catalog)?.canonicalLink == there)
        guard let prefix = kind.origins.first?.pathPrefix, !prefix.isEmpty else { return }
        let whole = prefix.map { "/" + $0 }.joined() + path
        #expect(try plan("\(go)?u=\(whole)", catalog)?.canonicalLink == there, "\(go)?u=\(whole)")
    }
}
