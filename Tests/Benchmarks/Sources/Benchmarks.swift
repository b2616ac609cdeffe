import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import Foundation

/// The measurements of the engine in process, a line for each: name, median, quartiles (nanoseconds per
/// call), allocations per call, separated by tabs.
///
/// `--bundle BUNDLE BODY` measures the bytes of the bundle and the body in two files, as the other forms of the engine do.
@main
enum Benchmarks {
    private static let text = "navigation://loremipsum.com/characters/character/1/character/2?sheet=test"

    static func main() throws {
        let words = CommandLine.arguments
        if words.count == 4, words[1] == "--bundle" { return try measureEngine(bundle: words[2], body: words[3]) }
        let bytes = Array(text.utf8)
        let link = try DeepLink(bytes: bytes)
        measure("parse") { try? DeepLink(bytes: bytes) }
        for routeCount in [10, 1000, 100_000] where isAsked("match-\(routeCount)") {
            let catalog = try SampleCatalog.make(routeCount: routeCount)
            measure("match-\(routeCount)") { catalog.match(link) != nil }
        }
        let catalog = try SampleCatalog.make(routeCount: 10)
        measure("resolve") { resolve(ResolutionRequest(link: link), userLevel: .highest, catalog: catalog) }
        if case .plan(let plan) = resolve(ResolutionRequest(link: link), userLevel: .highest, catalog: catalog) {
            measure("json") { json(of: plan) }
        }
        measure("resolve-json") { json(of: bytes, catalog) }
        for (name, inGroup) in [("groups", true), ("edges", false)]
        where isAsked("\(name)-load") || isAsked("\(name)-match") {
            let text = Array(GroupCatalog.text(inGroup: inGroup).utf8)
            let link = try DeepLink(GroupCatalog.link)
            let catalog = try CatalogLoader.load(text, file: "benchmark")
            measure("\(name)-load") { try? CatalogLoader.load(text, file: "benchmark") }
            measure("\(name)-match") { catalog.match(link) != nil }
        }
        let peer = FoundationPeer()
        measure("foundation-url") { FoundationPeer.parse(text) }
        measure("foundation-resolve-json") { peer.json(of: text, level: 3) }
    }

    private static func measureEngine(bundle: String, body: String) throws {
        let bundle = Array(try Data(contentsOf: URL(fileURLWithPath: bundle)))
        let body = Array(try Data(contentsOf: URL(fileURLWithPath: body)))
        let catalog = try BundleDocument(bundle).catalog
        precondition(EngineAnswer(resolving: body, in: catalog).status == 200, "the body has no screen")
        print(Measurement("load") { try? BundleDocument(bundle) }.line)
        print(Measurement("resolve") { EngineAnswer(resolving: body, in: catalog).body }.line)
    }

    /// Answers a link as the service does, from its bytes to those of the answer.
    private static func json(of link: [UInt8], _ catalog: RouteCatalog) -> [UInt8]? {
        guard let link = try? DeepLink(bytes: link),
            case .plan(let plan) = resolve(ResolutionRequest(link: link), userLevel: .highest, catalog: catalog)
        else { return nil }
        return json(of: plan)
    }

    private static func json(of plan: RoutePlan) -> [UInt8] {
        var writer = JSONWriter()
        writer.plan(plan)
        return writer.bytes
    }

    /// Measures what has one of the names on the command line; without any, everything.
    private static func measure<Result>(_ name: String, _ body: () -> Result) {
        if isAsked(name) { print(Measurement(name, body).line) }
    }

    private static func isAsked(_ name: String) -> Bool {
        let names = CommandLine.arguments.dropFirst()
        return names.isEmpty || names.contains(name)
    }
}
