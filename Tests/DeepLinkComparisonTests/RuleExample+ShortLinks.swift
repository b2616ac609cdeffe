import DeepLinkComparison

extension RuleExample {
    /// The rules about short links.
    static let ofShortLinks: [RuleExample] = [
        RuleExample(
            .shortLinksRemoved,
            .breaking,
            [.links],
            on: Shop.text.replacing(
                "  - { scheme: old,",
                with: "  - { scheme: https, hosts: [go.example], shortLinks: true }\n  - { scheme: old,"
            ),
            ("hosts: [go.example]", "hosts: [to.example]")
        ),
        RuleExample(
            .shortLinkTermsChanged,
            .info,
            [],
            ("help: { path: help }", "help: { path: help, shortLink: { length: 16, within: 30d } }")
        ),
    ]
}
