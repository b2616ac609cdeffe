import DeepLinkComparison

extension Shop {
    /// The shop with two grants, which reviews require.
    static let withGrants = text.replacing("version: 1\n", with: "version: 1\ngrants: [kyc, pro]\n")
        .replacing("  premiumUser: /login\n", with: "  premiumUser: /login\n  kyc: /login\n  pro: /login\n")
        .replacing("reviews: { ", with: "reviews: { requires: [kyc, pro], ")
}

extension RuleExample {
    /// The rules about grants, and about gates over what an app shows.
    static let ofGrants: [RuleExample] = [
        RuleExample(
            .gateChanged,
            .risk,
            [.access],
            on: Shop.withGrants,
            ("  pro: /login", "  pro: { link: /login, over: sheet }")
        ),
        RuleExample(
            .presentationUnknownToOlder,
            .risk,
            [.apps],
            on: Shop.withGrants,
            ("  pro: /login", "  pro: { link: /login, over: \"custom:drawer\" }")
        ),
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
