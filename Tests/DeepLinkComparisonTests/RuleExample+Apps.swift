import DeepLinkCatalog
import DeepLinkComparison
import DeepLinkCore
import Testing

extension Shop {
    /// The catalog with two named apps, one of which has a route alone.
    static let withApps =
        text
        .replacing(
            "  ios: [{ appID: ABCDE12345.example.shop, storeID: 1 }]\n",
            with: "  rider: { ios: [{ appID: ABCDE12345.example.shop, storeID: 1 }] }\n"
                + "  driver: { ios: [{ appID: ABCDE12345.example.driver, storeID: 2 }] }\n"
        )
        .replacing("  android: [{", with: "  courier: { android: [{")
        .replacing("14\"] }]\n", with: "14\"] }] }\n")
        .replacing("  legacy: { path: legacy }", with: "  legacy: { path: legacy, app: rider }")
}

extension RuleExample {
    /// The rules about apps by name.
    static let ofApps: [RuleExample] = [
        RuleExample(
            .routeAppChanged,
            .breaking,
            [.links, .apps],
            on: Shop.withApps,
            ("legacy: { path: legacy, app: rider }", "legacy: { path: legacy, app: driver }")
        ),
        RuleExample(
            .routeAppChanged,
            .breaking,
            [.links, .apps],
            on: Shop.withApps,
            ("  help: { path: help }", "  help: { path: help, app: rider }")
        ),
        RuleExample(
            .routeAppChanged,
            .risk,
            [.links, .apps],
            on: Shop.withApps,
            ("legacy: { path: legacy, app: rider }", "legacy: { path: legacy }")
        ),
        RuleExample(.appRemoved, .breaking, [.apps], on: Shop.withApps, ("  driver:", "  pilot:")),
        RuleExample(
            .appAdded,
            .info,
            [],
            on: Shop.withApps,
            ("  driver:", "  pilot: { ios: [{ appID: ABCDE12345.example.pilot }] }\n  driver:")
        ),
    ]
}

@Suite
struct `Apps in a comparison` {
    private func findings(_ old: String, _ new: String) throws -> [Finding] {
        try `Rules of a comparison`.compare(old, new).findings
            .filter { [.routeAppChanged, .appRemoved, .appAdded].contains($0.rule) }
    }

    @Test
    func `an app that only gets a name is the same app`() throws {
        let named = Shop.text.replacing("apps:\n  ios:", with: "apps:\n  shop:\n    was: unnamed\n    ios:")
            .replacing("  android: [{", with: "    android: [{")
        #expect(named != Shop.text)
        #expect(try findings(Shop.text, named).isEmpty)
        let other = named.replacing("    was: unnamed\n", with: "")
        #expect(
            try findings(Shop.text, other).map(\.message) == ["the unnamed app is gone", "the app `shop` is new"]
        )
    }

    @Test
    func `a route that stays in the app that had no name is not moved, and one that goes to a new app is`() throws {
        let named = Shop.text.replacing("apps:\n  ios:", with: "apps:\n  shop:\n    was: unnamed\n    ios:")
            .replacing("  android: [{", with: "  driver: { android: [{").replacing("14\"] }]\n", with: "14\"] }] }\n")
        let kept = named.replacing("legacy: { path: legacy }", with: "legacy: { path: legacy, app: shop }")
        #expect(try findings(Shop.text, kept).map(\.message) == ["the app `driver` is new"])
        let moved = named.replacing("legacy: { path: legacy }", with: "legacy: { path: legacy, app: driver }")
        let finding = try #require(try findings(Shop.text, moved).first { $0.rule == .routeAppChanged })
        #expect(finding.severity == .breaking)
        #expect(finding.message == "`entry > legacy` opens in the app `driver`, no longer in every app")
        #expect(finding.witness?.hasSuffix("/legacy") == true)
        #expect(finding.identity.new == "driver")
    }

    @Test
    func `the place of a moved route is its key, and of a removed app its name`() throws {
        let moved = Shop.withApps.replacing("legacy, app: rider", with: "legacy, app: driver")
        let finding = try #require(try findings(Shop.withApps, moved).first)
        let line = Shop.withApps.split(separator: "\n", omittingEmptySubsequences: false)
            .firstIndex { $0.contains("legacy, app: rider") }
        #expect(finding.newLocation?.line == line.map { $0 + 1 })
        #expect(finding.newLocation?.column == "  legacy: { path: legacy, ".utf8.count + 1)
        let gone = try #require(
            try findings(Shop.withApps, Shop.withApps.replacing("  driver:", with: "  pilot:"))
                .first { $0.rule == .appRemoved }
        )
        #expect(gone.oldLocation?.column == 3)
        #expect(gone.hint?.contains("`was: unnamed`") == true)
    }
}

@Suite
struct `Rules for operating systems by app` {
    private func findings(_ old: [ByteText], _ new: [ByteText]) throws -> [Finding] {
        let (before, after) = (Shop.withApps, Shop.withApps + "\n")
        let former = try CatalogLoader.load(Array(before.utf8), file: "old.yaml")
        let comparison = try CatalogComparison(
            from: former,
            to: try CatalogLoader.load(Array(after.utf8), file: "new.yaml"),
            associations: { catalog, _ in
                let rules = catalog === former ? old : new
                return [AssociatedHost(host: "shop.example", handed: Set(rules), kept: [])]
            }
        )
        return comparison.report().findings
    }

    @Test
    func `a link that leaves the file of one app for the file of another is lost and gained`() throws {
        let rules: (String) -> [ByteText] = { app in
            ["ios T.rider", "ios T.driver", "ios T.rider /a/*", "ios \(app) /b/?*".bytewise]
        }
        let found = try findings(rules("T.rider"), rules("T.driver"))
        #expect(found.map(\.rule) == [.associationNarrowed, .associationWidened])
        #expect(
            found.map(\.message) == [
                "links of `https://shop.example` no longer open in the app: /b/… (iOS T.rider)",
                "links of `https://shop.example` open in the app: /b/… (iOS T.driver)",
            ]
        )
        #expect(found[0].identity.old == "ios T.rider /b/?*")
    }
}
