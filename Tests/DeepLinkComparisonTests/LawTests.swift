import DeepLinkCatalog
import DeepLinkComparison
import DeepLinkCore
import Testing
import WaymarkTestSupport

/// Pairs of catalogs: the shop with some of the examples' changes made to it.
struct ShopPair: CustomTestStringConvertible {
    let old: RouteCatalog
    let new: RouteCatalog
    let changes: [String]

    var testDescription: String { changes.joined(separator: " | ") }

    /// Makes pairs from a seed; changes that do not go together are left out.
    static func all(seed: UInt64, count: Int) throws -> [ShopPair] {
        var random = SplitMix(state: seed)
        var pairs: [ShopPair] = []
        while pairs.count < count {
            let (old, former) = try variant(&random)
            let (new, latter) = try variant(&random)
            pairs.append(ShopPair(old: old, new: new, changes: former + ["→"] + latter))
        }
        return pairs
    }

    private static func variant(_ random: inout SplitMix) throws -> (RouteCatalog, [String]) {
        var (text, changes) = (Shop.text, [String]())
        var catalog = try CatalogLoader.load(Array(text.utf8), file: "shop.yaml")
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            guard let example = RuleExample.all.randomElement(using: &random), let next = example.applied(to: text),
                let loaded = load(next)
            else { continue }
            (text, catalog) = (next, loaded)
            changes.append(example.rule.rawValue)
        }
        return (catalog, changes)
    }

    private static func load(_ text: String) -> RouteCatalog? {
        try? CatalogLoader.load(Array(text.utf8), file: "shop.yaml")
    }
}

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite
struct `Laws of a comparison` {
    private func report(_ old: RouteCatalog, _ new: RouteCatalog) throws -> ComparisonReport {
        try CatalogComparison(from: old, to: new, associations: associations).report()
    }

    @Test
    func `a catalog does not differ from itself`() throws {
        for pair in try ShopPair.all(seed: 1, count: 8) {
            let found = try report(pair.old, pair.old).findings.map(\.message)
            #expect(found == [], "\(pair.testDescription)")
        }
    }

    @Test
    func `both directions name the same subjects`() throws {
        func subjects(_ report: ComparisonReport) -> Set<String> {
            var subjects: Set<String> = []
            // Only the newer of two catalogs has a presentation that older apps don't know.
            for finding in report.findings where finding.rule != .presentationUnknownToOlder {
                let subject = finding.identity.subject
                // An origin may be told as a whole, or host by host.
                if let origin = subject.origin { subjects.insert(String(origin.string.prefix { $0 != ":" })) }
                if let gate = subject.gate { subjects.insert(gate.string) }
                if let route = subject.route { subjects.insert(route.string) }
                // A renamed or captured route stands under both names.
                if [.routeRenamed, .linkCaptured, .linkDestinationChanged].contains(finding.rule) {
                    if subject.parameter == nil, let new = finding.identity.new { subjects.insert(new.string) }
                }
            }
            return subjects
        }
        for pair in try ShopPair.all(seed: 2, count: 16) {
            let (there, back) = (try report(pair.old, pair.new), try report(pair.new, pair.old))
            let difference = subjects(there).symmetricDifference(subjects(back))
            #expect(
                difference == [],
                "\(pair.testDescription)\n\(there.findings.map { "\($0.rule.rawValue) \($0.message)" })\n\(back.findings.map { "\($0.rule.rawValue) \($0.message)" })"
            )
        }
    }

    @Test
    func `the order of routes tells nothing`() throws {
        let (head, body) = Shop.parts
        var random = SplitMix(state: 3)
        let old = try CatalogLoader.load(Array(Shop.text.utf8), file: "old.yaml")
        for _ in 0..<6 {
            let text = head + body.shuffled(using: &random).joined()
            let new = try CatalogLoader.load(Array(text.utf8), file: "new.yaml")
            #expect(try report(old, new).findings.map(\.message) == [])
        }
    }

    @Test
    func `what breaks links has a witness that shows it`() throws {
        for pair in try ShopPair.all(seed: 4, count: 16) {
            for finding in try report(pair.old, pair.new).findings where finding.harms[.links] == .breaking {
                let link = try DeepLink(try #require(finding.witness, "\(finding.rule) \(finding.message)"))
                let request = ResolutionRequest(link: link)
                guard case .plan(let before) = resolve(request, userLevel: .premiumUser, catalog: pair.old) else {
                    Issue.record("\(link.text) does not resolve in the old catalog: \(finding.message)")
                    continue
                }
                guard case .plan(let after) = resolve(request, userLevel: .premiumUser, catalog: pair.new) else {
                    continue
                }
                // The same place may take a signature now.
                #expect(
                    before.stack != after.stack || !before.isSigned && after.isSigned,
                    "\(finding.rule.rawValue) \(link.text): \(finding.message)"
                )
            }
        }
    }

    @Test
    func `raising a version is told with a link, and back it is lowered`() throws {
        let old = try CatalogLoader.load(Array(Shop.text.utf8), file: "old.yaml")
        for (since, versions) in [
            ("{ android: \"4.10\" }", [["android/4.1", "android/4.10"]]),
            ("{ ios: 3, android: \"4.1.0.1\" }", [[nil, "ios/3"], ["android/4.1", "android/4.1.0.1"]]),
            ("{ ios: 3, android: \"4.1.0\" }", [[nil, "ios/3"]]),
        ] {
            let text = Shop.text.replacing("since: { android: \"4.1\" }", with: "since: \(since)")
            let new = try CatalogLoader.load(Array(text.utf8), file: "new.yaml")
            let raised = try report(old, new).findings.filter { $0.rule == .appVersionRaised }
            #expect(raised.map { [$0.identity.old?.string, $0.identity.new?.string] } == versions)
            #expect(raised.allSatisfy { $0.severity == .breaking && $0.witness?.contains("/search") == true })
            let lowered = try report(new, old).findings
            #expect(lowered.map(\.rule) == versions.map { _ in .appVersionLowered })
            // Each comes with a version of the app that shows it.
            for finding in raised + lowered {
                let link = try DeepLink(#require(finding.witness))
                let app = try #require(finding.witnessApp.flatMap { AppVersion($0) })
                let isLetIn = [old, new]
                    .map { catalog in
                        let request = ResolutionRequest(link: link, app: app)
                        if case .plan = resolve(request, userLevel: .premiumUser, catalog: catalog) { return true }
                        return false
                    }
                #expect(isLetIn == [true, false], "\(finding.message) \(app)")
            }
        }
    }

    @Test
    func `raising a level lowers none`() throws {
        for name in ["legacy", "item", "search", "help"] {
            for level in AuthorizationLevel.allCases where level > .none {
                let text = Shop.raising(name, to: level)
                let (old, new) = (
                    try CatalogLoader.load(Array(Shop.text.utf8), file: "old.yaml"),
                    try CatalogLoader.load(Array(text.utf8), file: "new.yaml")
                )
                let rules = try report(old, new).findings.map(\.rule)
                #expect(!rules.contains(.levelLowered))
                #expect(rules.contains(.levelRaised), "\(name) \(level.name)")
                #expect(try report(new, old).findings.contains { $0.rule == .levelLowered })
            }
        }
    }
}

extension Shop {
    /// The text before the routes, and the text of each route.
    fileprivate static var parts: (head: String, routes: [String]) {
        var (head, routes): (String, [String]) = ("", [])
        var isInRoutes = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
            if !isInRoutes {
                head += line + "\n"
                isInRoutes = line == "routes:"
            } else if line.prefix(3).last == " " {
                routes[routes.count - 1] += line + "\n"
            } else {
                routes.append(line + "\n")
            }
        }
        return (head, routes)
    }

    /// The shop with a premium gate, where one route takes a level.
    fileprivate static func raising(_ route: String, to level: AuthorizationLevel) -> String {
        let key = "authorizationLevel: \(level.name)"
        var raised = text.replacing("  \(route): { path: \(route) }", with: "  \(route): { path: \(route), \(key) }")
        raised = raised.replacing("\n  \(route): {}", with: "\n  \(route): { \(key) }")
        return raised.replacing("\n  \(route):\n", with: "\n  \(route):\n    \(key)\n")
    }
}
