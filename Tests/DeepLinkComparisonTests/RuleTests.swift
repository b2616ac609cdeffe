import DeepLinkCatalog
import DeepLinkCore
import Testing
import WaymarkTestSupport

@testable import DeepLinkComparison

@Suite
struct `Rules of a comparison` {
    static func compare(_ old: String, _ new: String) throws -> ComparisonReport { try comparison(old, new).report() }

    static func comparison(_ old: String, _ new: String) throws -> CatalogComparison {
        let (old, new) = (
            try CatalogLoader.load(Array(old.utf8), file: "old.yaml"),
            try CatalogLoader.load(Array(new.utf8), file: "new.yaml")
        )
        return try CatalogComparison(from: old, to: new, associations: associations)
    }

    @Test(arguments: RuleExample.all)
    func `every rule has an example with its severity`(_ example: RuleExample) throws {
        let new = try #require(example.applied(to: example.base))
        let report = try Self.compare(example.base, new)
        let told = report.findings.map { "\($0.severity.name) \($0.rule.rawValue) \($0.message) \($0.witness ?? "-")" }
        let finding = report.findings.first {
            $0.rule == example.rule && $0.severity == example.severity && Set($0.audiences) == Set(example.audiences)
        }
        #expect(finding != nil, "\(told.joined(separator: "\n"))")
    }

    @Test
    func `every rule has an example`() {
        let shown = Set(RuleExample.all.map(\.rule))
        // Only a database shows that short links break.
        #expect(ChangeRule.allCases.filter { !shown.contains($0) && $0 != .shortLinksBreak } == [])
    }

    @Test
    func `every finding that breaks links names one that shows it`() throws {
        for example in RuleExample.all {
            let report = try Self.compare(example.base, try #require(example.applied(to: example.base)))
            for finding in report.findings where finding.harms[.links] == .breaking {
                #expect(finding.witness != nil, "\(example.rule.rawValue): \(finding.message)")
            }
        }
    }

    @Test
    func `the version of one app is told by its name, wherever the app stands in the list`() throws {
        func text(_ apps: String, _ since: String) -> String {
            """
            version: 1
            origins: [{ scheme: ride }]
            apps: { \(apps) }
            entry: { home: { presentation: root, initial: true } }
            routes: { home: { since: { \(since) } } }
            """
        }
        let old = text("rider: {}, driver: {}", "ios: \"2\", driver.ios: \"4.0\"")
        let new = text("driver: {}, rider: {}", "ios: \"2\", driver.ios: \"4.1\", rider.ios: \"3\"")
        let raised = try Self.compare(old, new).findings.filter { $0.rule == .appVersionRaised }
        let told = raised.map {
            "\($0.identity.old?.string ?? "-") \($0.identity.new?.string ?? "-") \($0.witnessApp ?? "-")"
        }
        #expect(Set(told) == ["driver.ios/4.0 driver.ios/4.1 driver.ios/4.0", "- rider.ios/3 rider.ios/0"])
        let same = text("driver: {}, rider: {}", "ios: \"2\", driver.ios: \"4.0\"")
        let rules = try Self.compare(old, same).findings.map(\.rule)
        #expect(!rules.contains(.appVersionRaised) && !rules.contains(.appVersionLowered))
    }

    @Test
    func `each key that goes from a list is named by a link that has it`() throws {
        let keys = ["color", "colour", "farbe"]
        for key in keys {
            let left = keys.filter { $0 != key }.joined(separator: ", ")
            let new = Shop.withKeys.replacing("from: [color, colour, farbe]", with: "from: [\(left)]")
            let report = try Self.compare(Shop.withKeys, new)
            let finding = try #require(report.findings.first { $0.rule == .parameterSourceChanged }, "\(key)")
            #expect(finding.witness?.hasSuffix("?\(key)=x") == true, "\(finding.witness ?? "-")")
        }
    }

    private func comparison(_ new: String, levels: [LevelName]? = nil) throws
        -> CatalogComparison
    {
        try CatalogComparison(
            from: try CatalogLoader.load(Array(Shop.text.utf8), file: "old.yaml"),
            to: try CatalogLoader.load(Array(new.utf8), file: "new.yaml"),
            levels: levels
        )
    }

    @Test
    func `a level that falls with a path is told all the same`() throws {
        let new = Shop.text.replacing(
            "reviews: { authorizationLevel: signedInUser,",
            with: "reviews: { path: opinions,"
        )
        let report = try Self.compare(Shop.text, new)
        let lowered = try #require(report.findings.first)
        #expect(lowered.rule == .levelLowered)
        #expect(lowered.identity.subject.route == "reviews")
        #expect(lowered.links.contains("shop://shop.example/item/1/opinions"))
        #expect(report.summary.contains("access widens at `reviews`"))
    }

    @Test
    func `who asks for some audiences hears of no others`() throws {
        let comparison = try comparison(Shop.text.replacing("color: string, ", with: ""))
        #expect(comparison.report(for: [.access]).findings.isEmpty)
        #expect(Set(comparison.report(for: [.code]).findings.map(\.rule)) == [.parameterRemoved])
        #expect(comparison.report().findings.count > 1)
    }

    @Test
    func `a level that nobody asks for changes nothing`() throws {
        let new = Shop.text.replacing("authorizationLevel: signedInUser,", with: "authorizationLevel: premiumUser,")
        func rules(_ level: LevelName) throws -> [ChangeRule] {
            try comparison(new, levels: [level]).report().findings.map(\.rule)
        }
        #expect(try rules(.signedInUser).contains(.levelRaised))
        #expect(try !rules(.premiumUser).contains(.levelRaised))
    }

    @Test
    func `an accepted change counts until its day, and only if it is the one that is found`() throws {
        let comparison = try comparison(Shop.text.replacing("path: item/{id}", with: "path: product/{id}"))
        let found = comparison.report().findings
        let entries = found.enumerated()
            .map { AcceptedChange(identity: $1.identity, reason: "meant", until: "2027-01-31", line: $0 + 1) }
        let other = AcceptedChange(
            identity: Finding.Identity(rule: .routeRemoved, subject: ChangeSubject(), old: nil, new: nil),
            reason: "meant",
            until: "2027-01-31",
            line: 99
        )
        let accepted = comparison.report(accepting: entries + [other], today: "2027-01-31")
        #expect(accepted.worst == nil)
        #expect(accepted.acceptedCount == found.count)
        #expect(accepted.unusedAcceptances.map(\.line) == [99])
        let late = comparison.report(accepting: entries, today: "2027-02-01")
        #expect(late.worst == .breaking)
        #expect(late.expiredAcceptances.count == found.count)
    }

    @Test
    func `recorded links are counted, with how often they were opened`() throws {
        var comparison = try comparison(Shop.text.replacing("path: item/{id}", with: "path: product/{id}"))
        for (link, opens) in [("shop://shop.example/item/7", 12_000), ("shop://shop.example/cart", 5), ("nothing", 1)] {
            // Each in a replay of its own, as the cores of a machine do.
            var replay = comparison.replay
            replay.replay(Array(link.utf8), opens: opens)
            comparison.add(replay)
        }
        let report = comparison.report()
        #expect(report.recorded?.linkCount == 3)
        #expect(report.recorded?.malformedCount == 1)
        #expect(report.recorded?.diedCount == 1)
        #expect(report.recorded?.diedOpenCount == 12_000)
        #expect(report.summary.contains("1 link (12,000 opens) of 3 change, 1 die"))
        let finding = try #require(report.findings.first { $0.linkCount > 0 })
        #expect(finding.rule == .linkDies)
        #expect(finding.openCount == 12_000)
    }

    @Test
    func `a comparison that must stop gives no report`() throws {
        let catalog = try CatalogLoader.load(Array(Shop.text.utf8), file: "old.yaml")
        #expect(throws: Interruption.Stop.self) {
            try CatalogComparison(from: catalog, to: catalog, interruption: Interruption { true })
        }
    }
}
