import DeepLinkComparison

extension RuleExample {
    /// The rules about what generated types count on.
    static let ofTypes: [RuleExample] = [
        RuleExample(.defaultRemoved, .breaking, [.apps, .code], (", default: price", "")),
        // A field of an object.
        RuleExample(
            .defaultRemoved,
            .breaking,
            [.apps, .code],
            on: Shop.text.replacing("cart: {}", with: "cart: { parameters: { size: \(size(", default: 1")) } }"),
            (", default: 1", "")
        ),
        RuleExample(
            .parameterOptional,
            .breaking,
            [.apps, .code],
            on: Shop.text.replacing("max: 40 }", with: "max: 40, required: true }"),
            (", required: true", "")
        ),
        RuleExample(
            .parameterOptional,
            .breaking,
            [.apps, .code],
            on: Shop.text.replacing("legacy: { path: legacy }", with: "legacy: { path: \"legacy/{page}\" }"),
            ("legacy/{page}", "legacy/{page?}")
        ),
        // An alias that lacks the value.
        RuleExample(
            .parameterOptional,
            .breaking,
            [.apps, .code],
            on: Shop.text.replacing("legacy: { path: legacy }", with: "legacy: { path: \"legacy/{a}-{b}\" }"),
            ("\"legacy/{a}-{b}\"", "\"legacy/{a}-{b}\", aliases: [\"legacy/{a}\"]")
        ),
        // The route opens without it elsewhere: code knows that it may be absent.
        RuleExample(
            .parameterOptional,
            .risk,
            [.apps],
            on: Shop.text.replacing(
                "parameters: { low: int } }",
                with: "parameters: { low: { type: int, required: true } } }"
            ),
            (", required: true", "")
        ),
        // A new way to a route that always had the value.
        RuleExample(
            .parameterOptional,
            .breaking,
            [.apps, .code],
            on: Shop.text.replacing("max: 40 }", with: "max: 40, required: true }"),
            ("help: sheet }", "help: sheet, search: { presentation: sheet, parameters: { q: string } } }")
        ),
        RuleExample(
            .pathParameterRenamed,
            .breaking,
            [.apps, .code],
            ("path: item/{id}", "path: item/{number}"),
            ("i/{id}", "i/{number}"),
            ("id: { type: int", "number: { type: int")
        ),
        RuleExample(
            .parameterRemoved,
            .breaking,
            [.apps, .code],
            ("      sort: { type: enum, values: [price, name], default: price }\n", "")
        ),
    ]

    private static func size(_ fallback: String) -> String {
        "{ type: object, fields: { width: { type: int\(fallback) }, height: int } }"
    }
}
