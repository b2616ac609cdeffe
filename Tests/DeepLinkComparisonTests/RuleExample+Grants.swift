import DeepLinkComparison

extension Shop {
    /// The shop with two grants, which reviews require.
    static let withGrants = text.replacing("version: 1\n", with: "version: 1\ngrants: [kyc, pro]\n")
        .replacing("  premiumUser: /login\n", with: "  premiumUser: /login\n  kyc: /login\n  pro: /login\n")
        .replacing("reviews: { ", with: "reviews: { requires: [kyc, pro], ")
}

extension RuleExample {
    /// The rules about grants.
    static let ofGrants: [RuleExample] = [
        RuleExample(
            .requirementRaised,
            .risk,
            [.access],
            on: Shop.withGrants,
            ("legacy: { path: legacy }", "legacy: { path: legacy, requires: [kyc] }")
        ),
        RuleExample(
            .requirementLowered,
            .risk,
            [.access],
            on: Shop.withGrants,
            ("reviews: { requires: [kyc, pro], ", "reviews: { requires: [pro], ")
        ),
        // Users are given it no more: every app may assert it.
        RuleExample(
            .requirementLowered,
            .risk,
            [.access],
            on: Shop.withGrants,
            ("grants: [kyc,", "grants: [{ name: kyc, from: app },")
        ),
        RuleExample(
            .grantAdded,
            .info,
            [.access],
            on: Shop.withGrants,
            ("grants: [kyc, pro]", "grants: [kyc, pro, staff]")
        ),
        RuleExample(
            .grantRemoved,
            .risk,
            [.access],
            on: Shop.withGrants,
            ("grants: [kyc, pro]", "grants: [pro]"),
            ("requires: [kyc, pro]", "requires: [pro]"),
            ("  kyc: /login\n", "")
        ),
    ]
}
