import DeepLinkCatalog
import DeepLinkCore
import Foundation
import Testing
import WaymarkOffline
import WaymarkTestSupport

/// Checks that an app which has a catalog's bundle answers as a running server does, which has the file.
@Suite struct LocalAnswersTests {
    /// The sample app's catalog with places that take versions, every example, and the table of every app.
    static let catalogs = {
        do {
            return try ["Config/routes.yaml"]
                + ["Config/examples", "Config/examples/apps"]
                .flatMap { folder in
                    try Checkout.files(in: folder, withExtension: "yaml").map { "\(folder)/\($0.lastPathComponent)" }
                }
        } catch {
            preconditionFailure("the examples cannot be listed: \(error)")
        }
    }()

    /// The links of the vectors: those of a catalog of the same name, and those that are not of any.
    private static func vectors(of catalog: String) throws -> [String] {
        let names = ["link-syntax.json", "sample-app.json", "suinavigation.json"]
        let name = String(catalog.split(separator: "/").last?.dropLast(5) ?? "")
        let own = catalog.contains("/apps/") ? "apps/\(name).json" : "\(name).json"
        let files = catalog.contains("/apps/") || names.contains(own) ? [own, names[0]] : [names[0]]
        return try files.flatMap { file in
            let bytes = Data(try Checkout.bytes("Tests/DeepLinkCoreTests/Vectors/\(file)"))
            let json = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
            let cases = json?["cases"] as? [[String: Any]] ?? []
            let links = cases.compactMap { ($0["link"] ?? $0["input"]) as? String }
            #expect(links.count > 10, "\(file)")
            return links
        }
    }

    @Test func `a link whose path begins without a slash is read where the catalog says so`() throws {
        let resolver = try resolver(
            of: CatalogLoader.load(contentsOf: Checkout.path("Config/examples/apps/element-x.yaml"))
        )
        #expect(resolver.answer(to: "matrix:u/alice:example.org", level: "none").status == 200)
        #expect(resolver.answer(to: "mailto:alice@example.org", level: "none").status == 400)
    }

    /// The engine of an app that took the catalog of a signed bundle.
    private func resolver(of catalog: RouteCatalog) throws -> LocalResolver {
        let key = try #require(BundleSigningKey(rawRepresentation: Array(repeating: 7, count: 32)))
        let issuedAt = Timestamp(millisecondsSinceEpoch: 1_800_000_000_000)
        let bytes = CatalogBundle.bytes(of: catalog, sequence: 1, issuedAt: issuedAt)
        let bundle = try CatalogBundle(bytes, signature: try key.signature(of: bytes), trusting: [key.publicKey])
        #expect(bundle.sequence == 1 && bundle.issuedAt == issuedAt && bundle.catalog.version == catalog.version)
        return LocalResolver(bundle.catalog)
    }

    @Test(arguments: catalogs)
    func `local answers are the server's, byte by byte`(_ path: String) async throws {
        try await TemporaryFolder.with { folder in
            let text = String(decoding: try Checkout.bytes(path), as: UTF8.self)
                .replacing("\n  profile: {", with: "\n  profile: { since: { ios: \"2.1\" },")
                .replacing("\n  step2: {", with: "\n  step2: { since: { ios: \"3\", android: \"4.0\" },")
            let file = folder + "/catalog.yaml"
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let catalog = try CatalogLoader.load(contentsOf: file)
            let resolver = try resolver(of: catalog)
            var questions = try GeneratedQuestions(catalog, links: Self.vectors(of: path))
            let server = try await ServerProcess.start(database: folder + "/states.sqlite", catalog: file)
            var (counts, left) = ([Int: Int](), max(Effort.part(of: 20_000), questions.listedCount))
            while left > 0 {
                let asked = (0..<min(left, 200)).map { _ in questions.next() }
                left -= asked.count
                let answers = try await served(asked.map(\.line).joined(), server)
                #expect(answers.count == asked.count)
                for (question, answer) in zip(asked, answers) {
                    let local = resolver.answer(
                        to: question.link,
                        level: catalog.levels.text(of: question.level),
                        from: question.from,
                        mode: question.mode,
                        app: question.app
                    )
                    counts[local.status, default: 0] += 1
                    let body = String(decoding: local.body, as: UTF8.self)
                    #expect(body.bytewise == answer.bytewise, "\(question.line)\(body)\nnot\n\(answer)")
                }
            }
            print("law: \(path): the same bytes, by status: \(counts.sorted { $0.key < $1.key })")
            #expect(counts[200, default: 0] > Effort.part(of: 20_000) / 100)
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    /// Returns the answers of a server to lines of a batch, without the continuations, which only a server gives.
    private func served(_ lines: String, _ server: ServerProcess) async throws -> [String] {
        let head =
            "POST /v1/resolve/batch HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Type: application/x-ndjson\r\n"
            + "Content-Length: \(lines.utf8.count)\r\n\r\n"
        let answer = try await RawConnection(port: server.port).exchange(Array((head + lines).utf8))
        #expect(answer.status == 200)
        return answer.text.split(separator: "\n").map { String($0).replacing(/,"continuation":"[^"]*"/, with: "") }
    }
}

/// One question to a server, or to an app's own engine.
private struct GeneratedQuestion {
    let link: String
    let level: AuthorizationLevel
    let mode: ResolutionRequest.Mode
    let app: AppVersion?

    /// A stack in JSON.
    let from: [UInt8]?

    /// The line of a batch.
    var line: String {
        var writer = JSONWriter()
        writer.string(link)
        var line = "{\"link\":\(String(decoding: writer.bytes, as: UTF8.self)),\"level\":\"\(level.name)\""
        line += ",\"mode\":\"\(mode.rawValue)\""
        if let app { line += ",\"app\":\"\(app.text)\"" }
        if let from { line += ",\"from\":\(String(decoding: from, as: UTF8.self))" }
        return line + "}\n"
    }
}

/// Questions about links that consist of a catalog's words, from stacks that such links led to.
private struct GeneratedQuestions {
    private let catalog: RouteCatalog
    private let words: [String]
    private let keys: [String]
    private let bases: [Base]
    private let apps: [AppVersion]
    private var random = SeededGenerator(seed: 21)
    private var current: [Destination]?

    /// The links that are asked before others are made.
    private var listed: ArraySlice<String>

    /// The questions about those, of which each is asked in both modes.
    var listedCount: Int { listed.count }

    /// The beginning of an origin's links.
    private struct Base {
        let text: String

        /// Whether the host, or what comes right behind the scheme, is the first segment.
        let takesSegment: Bool

        let routesFragment: Bool
    }

    init(_ catalog: RouteCatalog, links: [String]) throws {
        self.catalog = catalog
        listed = links.flatMap { [$0, $0] }[...]
        let patterns = catalog.edges.map { edge in
            if case .path(let pattern) = edge.address { pattern.text } else { "" }
        }
        words = Set(patterns.flatMap { $0.split(separator: "/").map(String.init) }).sorted()
        keys = catalog.edges.flatMap { $0.parameters.flatMap(\.keys) + ($0.queryKey.map { [$0] } ?? []) }
        bases = catalog.origins.flatMap { origin -> [Base] in
            func base(_ text: String, takesSegment: Bool = false) -> Base {
                let prefix = origin.pathPrefix.map { "/" + $0 }.joined()
                return Base(text: text + prefix, takesSegment: takesSegment, routesFragment: origin.routesFragment)
            }
            let scheme = origin.scheme
            switch origin.authority {
            case .rootless: return [Base(text: scheme + ":", takesSegment: true, routesFragment: origin.routesFragment)]
            case .segment where !origin.isWeb:
                return [Base(text: scheme + "://", takesSegment: true, routesFragment: origin.routesFragment)]
            case .hosts, .segment, .ignore:
                let hosts = origin.hosts.isEmpty ? [""] : origin.hosts
                return hosts.map { base("\(scheme)://" + $0.replacing("*.", with: "some.")) }
            }
        }
        apps = try ["ios/2", "ios/3.0", "android/4", "android/3.9"].map { try #require(AppVersion($0)) }
    }

    mutating func next() -> GeneratedQuestion {
        var segments = (0..<Int.random(in: 0...5, using: &random))
            .map { _ -> String in
                let word = random.pick(words)
                return word.hasPrefix("{") ? random.pick(["1", "7", "a", "a-b", "%C3%A9"]) : word
            }
        if random.oneIn(20) { segments.append("nowhere") }
        let base = random.pick(bases)
        var link = base.text + (base.takesSegment ? "" : base.routesFragment && random.oneIn(2) ? "/#/" : "/")
        link += segments.joined(separator: "/")
        while !keys.isEmpty, random.oneIn(3) {
            link += link.contains("?") ? "&" : "?"
            link += "\(random.pick(keys))=\(random.pick(["1", "x", "%zz", "true"]))"
        }
        let isListed = !listed.isEmpty
        if let next = listed.popFirst() { link = next }
        let level = random.pick(AuthorizationLevel.allCases)
        let app = random.oneIn(2) ? random.pick(apps) : nil
        let mode: ResolutionRequest.Mode =
            isListed ? listed.count.isMultiple(of: 2) ? .append : .replace : random.oneIn(4) ? .append : .replace
        var writer = JSONWriter()
        let from = random.oneIn(2) ? current : nil
        if let from { writer.stack(from) }
        if let parsed = try? DeepLink(link, rootless: catalog.rootlessSchemes),
            case .plan(let plan) = resolve(
                ResolutionRequest(link: parsed),
                userLevel: .premiumUser,
                catalog: catalog
            )
        {
            current = plan.stack
        }
        return GeneratedQuestion(
            link: link,
            level: level,
            mode: mode,
            app: app,
            from: from == nil ? nil : writer.bytes
        )
    }
}
