import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import Foundation
import Testing
import WaymarkOffline
import WaymarkTestSupport

/// Requests with the answers of the engine for apps, written to a file for `scripts/prove engine`, which compares other
/// forms of the engine with them byte by byte.
///
/// A record is a kind (0: load, 1: resolve, 2: link), the number of bytes and the bytes of a request, a status, and the
/// number of bytes and the bytes of the answer, each number in 4 bytes, the lowest first. A catalog counts for the
/// records that follow it.
@Suite struct EngineRecordingTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let file = environment["WAYMARK_ENGINE_RECORDING"]
    private static let requestCount = environment["WAYMARK_ENGINE_REQUESTS"].flatMap { Int($0) } ?? 2_000
    private static let vectors = environment["WAYMARK_ENGINE_VECTORS"].map { URL(fileURLWithPath: $0) }

    @Test func `the engine answers bodies as the server does`() async throws {
        var recording = EngineRecording()
        recording.goldenCases()
        try recording.recordedExchanges()
        let own = URL(fileURLWithPath: Checkout.path("Tests/DeepLinkCoreTests/Vectors"))
        for folder in [own, Self.vectors].compactMap({ $0 }) {
            try recording.vectors(in: folder)
            #expect(recording.parts.last?.has(1, 200, 404) == true, "\(folder.path) has no vectors")
        }
        recording.generated(await GeneratedCatalog.all + GeneratedCatalog.withGrants, count: Self.requestCount)
        try recording.hostile(count: Self.requestCount / 10)
        #expect(recording.count > Self.requestCount)
        expectEachKind(of: recording)
        guard let file = Self.file else { return }
        try Data(recording.bytes).write(to: URL(fileURLWithPath: file))
        let lines = recording.parts.map { $0.line + "\n" }.joined()
        try Data(lines.utf8).write(to: URL(fileURLWithPath: file + ".txt"))
    }

    /// Expects that what is hostile reaches each kind of answer: a screen, a bad request, a gate, no screen.
    private func expectEachKind(of recording: EngineRecording) {
        let parts = Dictionary(uniqueKeysWithValues: recording.parts.suffix(6).map { ($0.name, $0) })
        #expect(parts["mutated stacks"]?.has(200, 400, 422) == true)
        #expect(parts["broken bundles"]?.has(0) == true)
        #expect(parts["mutated bundles"]?.has(0, 1, 200, 400, 403, 404) == true)
        for name in ["broken bodies", "links of the fuzzer", "mutated bodies"] {
            #expect(parts[name]?.has(200, 400, 403, 404) == true, "\(parts[name]?.line ?? name)")
        }
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
