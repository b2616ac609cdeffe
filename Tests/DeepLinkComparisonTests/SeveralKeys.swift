import DeepLinkComparison

extension Shop {
    /// The same with a value that several keys hold.
    static let withKeys = text.replacing(
        "color: string",
        with: "color: { type: string, from: [color, colour, farbe] }"
    )
}

extension RuleExample {
    /// Changes of the query keys that hold one value.
    static let severalKeys: [RuleExample] = [
        RuleExample(
            .parameterSourceChanged,
            .breaking,
            [.links],
            on: Shop.withKeys,
            ("from: [color, colour, farbe]", "from: [color, farbe]")
        ),
        RuleExample(
            .parameterSourceChanged,
            .breaking,
            [.links],
            on: Shop.withKeys,
            ("from: [color, colour, farbe]", "from: [colour, color, farbe]")
        ),
        RuleExample(
            .parameterWidened,
            .info,
            [.links],
            on: Shop.withKeys,
            ("from: [color, colour, farbe]", "from: [color, couleur, colour, farbe]")
        ),
        RuleExample(
            .parameterWidened,
            .info,
            [.links],
            ("color: string", "color: { type: string, from: [color, colour] }")
        ),
    ]
}
