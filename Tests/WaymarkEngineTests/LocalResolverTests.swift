import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import Foundation
import Testing
import WaymarkEngine
import WaymarkTestSupport

/// Checks that an app answers by a bundle as the server does by the file.
@Suite struct LocalResolverTests {
    static let catalogs = [
        "Config/routes.yaml", "Config/examples/inventory.yaml", "Config/examples/suinavigation.yaml",
        "Config/examples/router.yaml", "Config/examples/folders.yaml",
    ]

    private func bundled(_ path: String) throws -> (server: RouteCatalog, app: RouteCatalog) {
        let server = try CatalogLoader.load(contentsOf: Checkout.path(path))
        let key = try #require(BundleSigningKey(rawRepresentation: Array(repeating: 7, count: 32)))
        let issuedAt = Timestamp(millisecondsSinceEpoch: 1_800_000_000_000)
        let bytes = CatalogBundle.bytes(of: server, sequence: 1, issuedAt: issuedAt)
        let bundle = try CatalogBundle(bytes, signature: try key.signature(of: bytes), trusting: [key.publicKey])
        #expect(bundle.sequence == 1 && bundle.issuedAt == issuedAt)
        return (server, bundle.catalog)
    }

    /// What the server's endpoint answers, but for the continuation.
    private func served(
        _ link: String,
        _ level: AuthorizationLevel,
        _ current: [Destination]?,
        _ catalog: RouteCatalog
    ) -> [UInt8] {
        let request: ResolutionRequest
        do throws(LinkSyntaxError) {
            request = try ResolutionRequest(
                link: Array(link.utf8),
                mode: .replace,
                current: current.map { .stack($0) }
            )
        } catch {
            return Problem(error, in: Array(link.utf8)).json
        }
        switch resolve(request, userLevel: level, catalog: catalog) {
        case .plan(let plan): return PlanBody(plan).json
        case .denial(let denial): return Problem(denial).json
        case .outdated(let update): return Problem(update).json
        case .failure(let failure): return Problem(failure).json
        }
    }

    @Test(arguments: catalogs)
    func `local answers are the server's, byte by byte`(_ path: String) throws {
        let (server, app) = try bundled(path)
        #expect(app.version == server.version)
        let resolver = LocalResolver(app)
        var random = SeededGenerator(seed: 21)
        let words = Array(
            Set(
                server.edges.flatMap { edge -> [String] in
                    if case .path(let pattern) = edge.address {
                        pattern.text.split(separator: "/").map(String.init)
                    } else {
                        []
                    }
                }
            )
            .sorted()
        )
        let keys = server.edges.flatMap { $0.parameters.map(\.key) + ($0.queryKey.map { [$0] } ?? []) }
        let origin = try #require(server.origins.first)
        let base = "\(origin.scheme)://\(origin.hosts.first ?? "")/"
        var (planned, denied, current) = (0, 0, [Destination]?.none)
        for _ in 0..<Effort.part(of: 100_000) {
            var segments = (0..<Int.random(in: 0...5, using: &random))
                .map { _ -> String in
                    let word = random.pick(words)
                    return word.hasPrefix("{") ? random.pick(["1", "7", "a", "a-b", "%C3%A9"]) : word
                }
            if random.oneIn(20) { segments.append("nowhere") }
            var link = base + segments.joined(separator: "/")
            if !keys.isEmpty, random.oneIn(3) {
                link += "?\(random.pick(keys))=\(random.pick(["1", "x", "%zz", "true"]))"
            }
            let level = random.pick(AuthorizationLevel.allCases)
            let from = random.oneIn(2) ? current : nil
            var writer = JSONWriter()
            if let from { writer.stack(from) }
            let local = resolver.answer(to: link, level: level, from: from == nil ? nil : writer.bytes)
            let expected = served(link, level, from, server)
            #expect(
                local.body == expected,
                "\(link): \(String(decoding: local.body, as: UTF8.self)), not \(String(decoding: expected, as: UTF8.self))"
            )
            planned += local.status == 200 ? 1 : 0
            denied += local.status == 403 ? 1 : 0
            if local.status == 200, let parsed = try? DeepLink(link),
                case .plan(let plan) = resolve(
                    ResolutionRequest(link: parsed),
                    userLevel: .premiumUser,
                    catalog: server
                )
            {
                current = plan.stack
            }
        }
        print("law: \(path): \(planned) plans and \(denied) refusals are the same bytes")
        #expect(planned > Effort.part(of: 100_000) / 100)
    }

    @Test func `an app cannot tell who signed a link, and asks the server`() throws {
        let yaml = """
            version: 1
            origins: [{ scheme: shop }]
            gates: { signedInUser: /login }
            entry: { login: root, home: root, offer: root }
            routes: { login: {}, home: {}, offer: { signed: true, authorizationLevel: signedInUser } }
            """
        let resolver = LocalResolver(try CatalogLoader.load(Array(yaml.utf8), file: "signed.yaml"))
        for (link, word) in [
            ("shop:/offer", "signature-required"), ("shop:/offer?sig=a.b", "\"reason\":\"unknown-key\""),
            ("shop:/offers", "no-matching-route"),
        ] {
            let answer = resolver.answer(to: link, level: .none)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(word), "\(link)")
        }
        #expect(resolver.answer(to: "shop:/home", level: .none).status == 200)
    }
}
