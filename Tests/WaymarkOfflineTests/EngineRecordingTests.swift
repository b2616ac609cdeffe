import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import Foundation
import Testing
import WaymarkOffline
import WaymarkTestSupport

/// Requests with the answers of the engine for apps, written to a file for `scripts/prove engine`, which compares the other
/// forms of the engine with them byte by byte.
///
/// A record is a kind (0: load, 1: resolve, 2: link), the number of bytes and the bytes of a request, a status, and the
/// number of bytes and the bytes of the answer, each number in 4 bytes, the lowest first. A catalog counts for the
/// records that follow it.
@Suite struct EngineRecordingTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let file = environment["WAYMARK_ENGINE_RECORDING"]
    private static let requestCount = environment["WAYMARK_ENGINE_REQUESTS"].flatMap { Int($0) } ?? 2_000

    @Test func `the engine answers bodies as the server does`() async throws {
        var recording = Recording()
        for (_, cases) in Dictionary(grouping: GoldenCase.all, by: \.file).sorted(by: { $0.key < $1.key }) {
            guard let catalog = cases.first?.catalog else { continue }
            recording.load(catalog)
            for one in cases { recording.resolve(EngineBody.of(one)) }
        }
        try recording.recordedExchanges()
        recording.generated(await GeneratedCatalog.all + GeneratedCatalog.withGrants, count: Self.requestCount)
        try recording.hostile(count: Self.requestCount / 10)
        #expect(recording.count > Self.requestCount)
        if let file = Self.file { try Data(recording.bytes).write(to: URL(fileURLWithPath: file)) }
    }

    @Test func `a bundle of ten thousand routes is written`() throws {
        let names = (0..<10_000).map { "\"route\($0)\"" }
        let entry = names.map { "{\"route\":\($0),\"presentation\":\"root\"}" }.joined(separator: ",")
        let routes = names.map {
            "{\"name\":\($0),\"path\":\($0),\"parameters\":[],\"authorizationLevel\":\"none\",\"opens\":[]}"
        }
        let json = """
            {"sequence":1,"issuedAt":"2026-11-26T00:00:00Z","catalog":{"catalogVersion":"000000000000",\
            "origins":[{"scheme":"shop","authority":"hosts","hosts":[]}],"plusIsSpace":false,"gates":{},"entry":[\(entry)],\
            "routes":[\(routes.joined(separator: ","))]}}
            """
        let document = try BundleDocument(Array(json.utf8))
        #expect(document.catalog.routes.count == 10_000)
        guard let file = Self.file else { return }
        try Data(json.utf8).write(to: URL(fileURLWithPath: file + ".large"))
    }

    @Test(arguments: [
        (#"{"link":"navigation:/settings","level":"signedInUser"}"#, 200, #""route":"settings""#),
        (#"{"link":"navigation:/settings"}"#, 403, #""gate""#),
        (#"{"link":"navigation:/settings","user":"u"}"#, 400, #""field":"user","reason":"unknown""#),
        (#"{"link":"navigation:/settings","userVersion":1}"#, 400, #""field":"userVersion","reason":"unknown""#),
        (#"{"link":"navigation:/settings","grants":["pro"]}"#, 400, #""field":"grants""#),
        (#"{"link":"navigation:/settings","arrival":"banner","app":"ios/1"}"#, 403, #""gate""#),
        (#"{"link":"navigation:/settings","arrival":"rain"}"#, 400, #""field":"arrival""#),
        (#"{"link":"navigation:/settings","mod":"append"}"#, 400, "did you mean `mode`?"),
        ("", 400, #""field":"body""#), ("[]", 400, #""field":"body""#),
    ])
    func `a body is answered with its own level, and has no user`(_ body: String, _ status: Int, _ part: String) throws
    {
        let answer = LocalResolver(try SampleApp.catalog()).answer(body: Array(body.utf8))
        #expect(answer.status == status)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(part))
    }

    @Test func `a link is built from a body, but not signed`() throws {
        let resolver = LocalResolver(try SampleApp.catalog())
        #expect(resolver.link(body: Array(#"{"route":"settings"}"#.utf8)).status == 200)
        let signed = resolver.link(body: Array(#"{"route":"settings","sign":true}"#.utf8))
        #expect(String(decoding: signed.body, as: UTF8.self).contains(#""field":"sign""#))
    }
}

/// The bodies of requests.
private enum EngineBody {
    /// Returns the body of a golden case.
    static func of(_ one: GoldenCase) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("link")
            writer.string(one.link)
            writer.key("mode")
            writer.string(one.mode.rawValue)
            switch one.from {
            case .link(let link)?:
                writer.key("from")
                writer.string(link.text)
            case .stack(let stack)?:
                writer.key("from")
                writer.stack(stack)
            case nil: break
            }
            writer.key("partial")
            writer.value(.bool(one.acceptsPart))
            write(one.permissions, in: one.catalog, to: &writer)
            if let app = one.app {
                writer.key("app")
                writer.string(app.text)
            }
            writer.key("explain")
            writer.value(.bool(one.note.utf8.count.isMultiple(of: 3)))
        }
        return writer.bytes
    }

    /// Returns the body of a link at a random level.
    static func of(_ link: String, in catalog: RouteCatalog, _ generator: inout SeededGenerator) -> [UInt8] {
        var permissions = Permissions(level: generator.pick(catalog.levels.all))
        for place in catalog.grants.names.indices where generator.oneIn(2) {
            permissions = permissions.adding(.grant(Grant(place: UInt8(place))))
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("link")
            writer.string(link)
            if !generator.oneIn(5) { write(permissions, in: catalog, to: &writer) }
            if generator.oneIn(4) {
                writer.key("from")
                var links = LinkGenerator(seed: generator.next(), in: catalog)
                writer.string(links.link())
                writer.key("mode")
                writer.string(generator.oneIn(4) ? "replace" : "append")
            }
            for name in ["partial", "explain"] where generator.oneIn(4) {
                writer.key(name)
                writer.value(.bool(!generator.oneIn(4)))
            }
            if generator.oneIn(4) {
                writer.key("app")
                writer.string(generator.pick(["ios/1.2", "android/3.1.0", "ios/0", "browser/1", "tv/1"]))
            }
            guard generator.oneIn(4) else { return }
            writer.key("holds")
            writer.array(["other"] + catalog.grants.names.map(\.text) + catalog.levels.names.map(\.text)) {
                $0.string($1)
            }
        }
        return writer.bytes
    }

    private static func write(_ permissions: Permissions, in catalog: RouteCatalog, to writer: inout JSONWriter) {
        let highest = catalog.levels.all.last ?? .lowest
        writer.key("level")
        writer.string(catalog.levels.text(of: min(permissions.level, highest)))
        let grants = catalog.grants.names.indices.map { Grant(place: UInt8($0)) }
            .filter { permissions.grants.contains(GrantSet($0)) }
        guard !grants.isEmpty else { return }
        writer.key("grants")
        writer.array(grants) { $0.string(catalog.grants.text(of: $1)) }
    }
}

/// The records of a file.
private struct Recording {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0
    private var catalog: RouteCatalog?

    private mutating func add(_ kind: UInt8, _ request: [UInt8], status: Int, _ answer: [UInt8]) {
        bytes.append(kind)
        append(UInt32(request.count))
        bytes += request
        append(UInt32(status))
        append(UInt32(answer.count))
        bytes += answer
        count += 1
    }

    private mutating func append(_ number: UInt32) {
        for place in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(8 * place))) }
    }

    mutating func load(_ catalog: RouteCatalog) {
        load(
            BundleDocument.bytes(
                of: catalog,
                sequence: Int64(count),
                issuedAt: Timestamp(millisecondsSinceEpoch: 1_800_000_000_000)
            )
        )
    }

    mutating func load(_ bundle: [UInt8]) {
        do throws(CatalogError) {
            catalog = try BundleDocument(bundle).catalog
            add(0, bundle, status: 1, [])
        } catch {
            catalog = nil
            var writer = JSONWriter()
            if let issue = error.issues.first { writer.issue(issue) }
            add(0, bundle, status: 0, writer.bytes)
        }
    }

    mutating func resolve(_ body: [UInt8]) {
        guard let catalog else { return }
        let answer = LocalResolver(catalog).answer(body: body)
        add(1, body, status: answer.status, answer.body)
    }

    mutating func link(_ body: [UInt8]) {
        guard let catalog else { return }
        let answer = LocalResolver(catalog).link(body: body)
        add(2, body, status: answer.status, answer.body)
    }

    /// Adds the bodies of the recorded exchanges of the server, for the sample app's catalog.
    mutating func recordedExchanges() throws {
        load(try SampleApp.catalog())
        for file in try Checkout.files(in: "Tests/DeepLinkHTTPTests/Exchanges", withExtension: "http") {
            let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: ">>>\n")
            for part in parts.dropFirst() {
                let request = part.components(separatedBy: "<<<\n")[0]
                guard let end = request.range(of: "\n\n") else { continue }
                let body = Array(request[end.upperBound...].trimmingCharacters(in: .newlines).utf8)
                if request.hasPrefix("POST /v1/resolve") { resolve(body) }
                if request.hasPrefix("POST /v1/links") { link(body) }
            }
        }
    }

    /// Adds requests for generated links of generated catalogs.
    mutating func generated(_ catalogs: [GeneratedCatalog], count: Int) {
        let each = max(1, count / max(1, catalogs.count) + 1)
        var left = count
        for generated in catalogs where left > 0 {
            load(generated.catalog)
            var links = LinkGenerator(seed: generated.seed, in: generated.catalog)
            var generator = SeededGenerator(seed: generated.seed)
            for _ in 0..<min(each, left) {
                let body = EngineBody.of(links.link(), in: generated.catalog, &generator)
                resolve(body)
                if let catalog, generator.oneIn(3) { link(Self.linkBody(answering: body, in: catalog)) }
            }
            left -= each
        }
    }

    /// Returns a request for the link to the stack of an answer.
    private static func linkBody(answering body: [UInt8], in catalog: RouteCatalog) -> [UInt8] {
        let answer = LocalResolver(catalog).answer(body: body).body
        var writer = JSONWriter()
        writer.object { writer in
            guard case .object(let members)? = try? JSONParser.parse(answer), let stack = members["stack"] else {
                writer.key("route")
                writer.string(catalog.routes.last?.name)
                return
            }
            writer.key("stack")
            writer.json(stack)
        }
        return writer.bytes
    }

    /// Adds mutations of bundles and bodies, and the corpora of the fuzzer.
    mutating func hostile(count: Int) throws {
        var generator = SeededGenerator(seed: 26)
        let sample = try SampleApp.catalog()
        let bundle = BundleDocument.bytes(of: sample, sequence: 1, issuedAt: Timestamp(millisecondsSinceEpoch: 0))
        for file in try Checkout.files(in: "Tests/Fuzz/Corpus/FuzzCatalog", withExtension: "json") {
            let text = Array("{\"sequence\":1,\"issuedAt\":\"1970-01-01T00:00:00Z\",\"catalog\":".utf8)
            load(text + Array(try Data(contentsOf: file)) + [UInt8(ascii: "}")])
        }
        for _ in 0..<count / 4 { load(Self.mutated(bundle, &generator)) }
        load(sample)
        var links = LinkMutator(seed: 26)
        let body = Array(
            #"{"link":"https://loremipsum.com/characters/character/1?sheet=test","mode":"append","from":[{"route":"tabBar","presentation":"root","parameters":{"id":1.5e300}}],"level":"premiumUser","explain":true,"holds":["x"]}"#
                .utf8
        )
        for _ in 0..<count {
            resolve(Self.mutated(body, &generator))
            link(Self.mutated(body, &generator))
            var writer = JSONWriter()
            writer.object { writer in
                writer.key("link")
                writer.string(String(decoding: links.next(), as: UTF8.self))
                writer.key("explain")
                writer.value(.bool(true))
            }
            resolve(writer.bytes)
        }
        for file in try FileManager.default
            .contentsOfDirectory(
                at: Checkout.root.appending(path: "Tests/Fuzz/Corpus/FuzzJSON"),
                includingPropertiesForKeys: nil
            )
            .sorted(by: { $0.path < $1.path })
        {
            let bytes = Array(try Data(contentsOf: file))
            resolve(bytes)
            link(bytes)
        }
        for depth in [31, 32, 33, 10_000] { resolve([UInt8](repeating: UInt8(ascii: "["), count: depth)) }
        resolve([UInt8](repeating: UInt8(ascii: " "), count: 1_048_577))
    }

    private static func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        let pieces = [
            "\"", "{", "}", "[", "]", ",", ":", "null", "-1", "1e400", "9223372036854775808", "\\u0000", "é", "\"",
        ]
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let place = Int.random(in: 0..<max(1, bytes.count), using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes.insert(contentsOf: Array(generator.pick(pieces).utf8), at: min(place, bytes.count))
            case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 2: bytes.removeSubrange(min(place, bytes.count)..<min(bytes.count, place + 7))
            case 3: bytes.removeLast(min(bytes.count, Int.random(in: 0...9, using: &generator)))
            default:
                let end = min(bytes.count, place + 40)
                if place < end { bytes.insert(contentsOf: bytes[place..<end], at: place) }
            }
        }
        return bytes
    }
}
