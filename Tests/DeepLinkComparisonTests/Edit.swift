import DeepLinkCatalog
import DeepLinkComparison
import DeepLinkCore
import Testing

/// A change of a catalog's text: what stands in the old one, and what takes its place.
struct Edit: Sendable {
    let text: String
    let replacement: String

    /// Changes a text; `nil` if it has no such place.
    func applied(to catalog: String) -> String? {
        guard let range = catalog.firstRange(of: text) else { return nil }
        return catalog.replacingCharacters(in: range, with: replacement)
    }
}

extension String {
    fileprivate func firstRange(of text: String) -> Range<String.Index>? { ranges(of: text).first }

    fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}

/// A rule, with the change that shows it.
struct RuleExample: Sendable, CustomTestStringConvertible {
    let rule: ChangeRule
    let severity: Severity
    let audiences: [ChangeAudience]
    let edits: [Edit]

    init(
        _ rule: ChangeRule,
        _ severity: Severity,
        _ audiences: [ChangeAudience],
        on base: String = Shop.text,
        _ edits: (String, String)...
    ) {
        self.rule = rule
        self.base = base
        self.severity = severity
        self.audiences = audiences
        self.edits = edits.map { Edit(text: $0.0, replacement: $0.1) }
    }

    var testDescription: String { rule.rawValue }

    /// The catalog before the change.
    let base: String

    /// The example's catalog after the change; `nil` if another change was made to the same place.
    func applied(to catalog: String) -> String? {
        edits.reduce(catalog) { text, edit in text.flatMap { edit.applied(to: $0) } }
    }
}

/// The catalog that the examples change.
enum Shop {
    static let text = """
        version: 1
        origins:
          - { scheme: shop, hosts: [shop.example] }
          - { scheme: https, hosts: [shop.example, www.shop.example] }
          - { scheme: old, hosts: [shop.example], pathPrefix: app }
        gates:
          onboardingCompleted: /welcome
          signedInUser: /login
          premiumUser: /login
        apps:
          ios: [{ appID: ABCDE12345.example.shop, storeID: 1 }]
          android: [{ package: example.shop, fingerprints: ["14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14:14"] }]
        entry: { welcome: root, login: root, home: root, legacy: root }
        routes:
          welcome: {}
          login: {}
          legacy: { path: legacy }
          home:
            path: ""
            description: What the app shows first.
            opens:
              feed: { presentation: tab, initial: true }
              search: tab
              cart: { presentation: sheet, authorizationLevel: onboardingCompleted }
              item: push
              offer: { presentation: push, linkable: false }
              stock:
                - { presentation: push, path: "stock/{amount}", parameters: { amount: { type: int, min: 1 } } }
                - { presentation: sheet, path: "stock/{code}", parameters: { code: { type: string, pattern: "[a-z]{2}" } } }
              prices:
                - { presentation: sheet, path: prices, parameters: { low: int } }
                - { presentation: push, path: prices, parameters: { low: int, high: int } }
          feed: { opens: { item: push, help: sheet } }
          search:
            since: { android: "4.1" }
            parameters:
              q: { type: string, max: 40 }
              sort: { type: enum, values: [price, name], default: price }
              page: { type: int, min: 1, max: 100 }
              tags: { type: "[string]", max: 3 }
          item:
            path: item/{id}
            aliases: [\"i/{id}\"]
            parameters: { id: { type: int, min: 1 }, color: string, size: { type: string, pattern: "[a-z]{1,4}" } }
            opens: { reviews: push, zoom: push }
          zoom:
            query: zoom
            parameters: { level: { type: int, from: zoom, min: 1, max: 9 } }
          reviews: { authorizationLevel: signedInUser, parameters: { from: date } }
          cart: {}
          help: { path: help }
          offer: {}
          stock: { path: "stock" }
          prices: {}

        """
}

extension RuleExample {
    /// Every rule, with at least one change that shows it.
    static let all: [RuleExample] =
        ofTypes + severalKeys + ofGrants + ofShortLinks + ofApps + [
            RuleExample(.linkDies, .breaking, [.links], ("legacy: { path: legacy }", "legacy: { path: bequest }")),
            RuleExample(
                .linkDestinationChanged,
                .breaking,
                [.links],
                ("legacy: { path: legacy }", "legacy: { path: old }"),
                ("welcome: {}", "welcome: { path: legacy }"),
                ("/welcome", "/legacy")
            ),
            RuleExample(
                .linkCaptured,
                .breaking,
                [.links],
                ("help: { path: help }", "help: { path: help }\n  sizes: { path: \"stock/xs\" }"),
                (
                    "offer: { presentation: push, linkable: false }",
                    "offer: { presentation: push, linkable: false }\n      sizes: push"
                )
            ),
            RuleExample(.linkStackChanged, .risk, [.links, .apps], ("search: tab", "search: push")),
            RuleExample(.linkParametersChanged, .risk, [.links, .apps], ("default: price", "default: name")),
            RuleExample(
                .linkCanonicalChanged,
                .risk,
                [.links],
                ("path: item/{id}\n    aliases: [\"i/{id}\"]", "path: i/{id}\n    aliases: [\"item/{id}\"]")
            ),
            RuleExample(
                .linkCanonicalChanged,
                .breaking,
                [.links],
                on: Shop.text.replacing("path: item/{id}\n", with: "signed: true\n    path: item/{id}\n"),
                ("path: item/{id}\n    aliases: [\"i/{id}\"]", "path: i/{id}\n    aliases: [\"item/{id}\"]")
            ),
            RuleExample(
                .signatureRequired,
                .breaking,
                [.links],
                ("legacy: { path: legacy }", "legacy: { path: legacy, signed: true }")
            ),
            RuleExample(
                .signatureDropped,
                .risk,
                [.access],
                on: Shop.text.replacing("legacy: { path: legacy }", with: "legacy: { path: legacy, signed: true }"),
                ("legacy: { path: legacy, signed: true }", "legacy: { path: legacy }")
            ),
            RuleExample(
                .linkRevives,
                .info,
                [.links],
                ("aliases: [\"i/{id}\"]", "aliases: [\"i/{id}\", \"product/{id}\"]")
            ),
            RuleExample(
                .linkProblemChanged,
                .info,
                [.links],
                ("path: item/{id}", "path: product/{id}")
            ),
            RuleExample(
                .levelRaised,
                .risk,
                [.access],
                ("legacy: { path: legacy }", "legacy: { path: legacy, authorizationLevel: signedInUser }")
            ),
            RuleExample(
                .levelLowered,
                .risk,
                [.access],
                ("reviews: { authorizationLevel: signedInUser,", "reviews: {")
            ),
            RuleExample(
                .appVersionRaised,
                .breaking,
                [.apps],
                ("legacy: { path: legacy }", "legacy: { path: legacy, since: { ios: \"3.2\" } }")
            ),
            RuleExample(
                .appVersionLowered,
                .risk,
                [.apps],
                ("since: { android: \"4.1\" }", "since: { android: \"4.0\" }")
            ),
            RuleExample(.gateChanged, .risk, [.access], ("signedInUser: /login", "signedInUser: /legacy")),
            RuleExample(
                .levelsReordered,
                .risk,
                [.access],
                (
                    "gates:\n  onboardingCompleted: /welcome\n  signedInUser: /login\n",
                    "levels: [none, signedInUser, onboardingCompleted, premiumUser]\ngates:\n  signedInUser: /login\n"
                        + "  onboardingCompleted: /welcome\n"
                )
            ),
            RuleExample(
                .gateRemoved,
                .breaking,
                [.access],
                ("  premiumUser: /login\n", "")
            ),
            RuleExample(
                .originRemoved,
                .breaking,
                [.links],
                ("  - { scheme: old, hosts: [shop.example], pathPrefix: app }\n", "")
            ),
            RuleExample(
                .hostRemoved,
                .breaking,
                [.links],
                ("hosts: [shop.example, www.shop.example]", "hosts: [shop.example]")
            ),
            RuleExample(.pathPrefixChanged, .breaking, [.links], ("pathPrefix: app", "pathPrefix: web")),
            RuleExample(
                .authorityChanged,
                .breaking,
                [.links],
                (
                    "{ scheme: old, hosts: [shop.example], pathPrefix: app }",
                    "{ scheme: old, authority: segment, pathPrefix: app }"
                )
            ),
            RuleExample(.plusIsSpaceChanged, .risk, [.links], ("version: 1\n", "version: 1\nplusIsSpace: true\n")),
            RuleExample(
                .entryRemoved,
                .breaking,
                [.links],
                ("home: root, legacy: root", "home: root"),
                ("  legacy: { path: legacy }\n", "")
            ),
            RuleExample(
                .edgeRemoved,
                .breaking,
                [.links],
                ("opens: { reviews: push, zoom: push }", "opens: { zoom: push }"),
                ("  reviews: { authorizationLevel: signedInUser, parameters: { from: date } }\n", "")
            ),
            RuleExample(
                .edgeRemoved,
                .breaking,
                [.apps],
                ("      offer: { presentation: push, linkable: false }\n", ""),
                ("  offer: {}\n", "")
            ),
            RuleExample(
                .edgeAdded,
                .info,
                [],
                (
                    "feed: { opens: { item: push,",
                    "feed: { opens: { item: push, offer: { presentation: push, linkable: false },"
                )
            ),
            RuleExample(
                .edgeNotLinkable,
                .breaking,
                [.links],
                ("search: tab", "search: { presentation: tab, linkable: false }")
            ),
            RuleExample(.pathChanged, .breaking, [.links], ("path: item/{id}", "path: product/{id}")),
            RuleExample(.aliasRemoved, .breaking, [.links], ("    aliases: [\"i/{id}\"]\n", "")),
            RuleExample(
                .queryKeyChanged,
                .breaking,
                [.links],
                ("query: zoom", "query: magnify"),
                ("from: zoom", "from: magnify")
            ),
            RuleExample(
                .parameterSourceChanged,
                .breaking,
                [.links],
                ("color: string", "color: { type: string, from: colour }")
            ),
            RuleExample(
                .parameterRequired,
                .breaking,
                [.links, .code],
                ("q: { type: string, max: 40 }", "q: { type: string, max: 40, required: true }")
            ),
            RuleExample(
                .parameterAddedRequired,
                .breaking,
                [.links, .code],
                ("cart: {}", "cart: { parameters: { owner: { type: string, required: true } } }")
            ),
            RuleExample(.parameterNarrowed, .breaking, [.links], ("min: 1, max: 100", "min: 1, max: 50")),
            RuleExample(.parameterNarrowed, .breaking, [.links], ("\"[a-z]{1,4}\"", "\"[a-x]{1,4}\"")),
            RuleExample(.parameterNarrowed, .breaking, [.links], ("values: [price, name]", "values: [price]")),
            RuleExample(.parameterNarrowed, .breaking, [.links], ("type: string, max: 40", "type: string, max: 39")),
            RuleExample(.parameterNarrowed, .breaking, [.links], ("\"[string]\", max: 3", "\"[string]\", max: 2")),
            RuleExample(.parameterWidened, .risk, [.apps], ("values: [price, name]", "values: [price, name, date]")),
            RuleExample(.parameterWidened, .info, [.apps], ("min: 1, max: 100", "min: 1, max: 200")),
            RuleExample(
                .parameterTypeChanged,
                .breaking,
                [.apps, .code],
                ("page: { type: int, min: 1, max: 100 }", "page: string")
            ),
            RuleExample(.parameterRemoved, .risk, [.code], ("color: string, ", "")),
            RuleExample(.parameterAddedOptional, .info, [], ("color: string", "color: string, brand: string")),
            RuleExample(.descriptionChanged, .info, [], ("What the app shows first.", "The first screen.")),
            RuleExample(
                .routeRemoved,
                .breaking,
                [.apps, .code],
                ("home: root, legacy: root", "home: root"),
                ("  legacy: { path: legacy }\n", "")
            ),
            RuleExample(
                .routeRenamed,
                .breaking,
                [.apps, .code],
                ("home: root, legacy: root", "home: root, heritage: root"),
                ("legacy: { path: legacy }", "heritage: { path: legacy }")
            ),
            RuleExample(
                .routeAdded,
                .info,
                [.apps],
                ("help: { path: help }", "help: { path: help }\n  news: {}"),
                ("search: tab", "search: tab\n      news: push")
            ),
            RuleExample(
                .routeAdded,
                .risk,
                [.apps],
                ("help: { path: help }", "help: { path: help }\n  sizes: { path: \"stock/xs\" }"),
                (
                    "offer: { presentation: push, linkable: false }",
                    "offer: { presentation: push, linkable: false }\n      sizes: push"
                )
            ),
            RuleExample(.presentationChanged, .risk, [.apps], ("search: tab", "search: push")),
            RuleExample(
                .initialChanged,
                .risk,
                [.apps],
                ("feed: { presentation: tab, initial: true }", "feed: tab"),
                ("search: tab", "search: { presentation: tab, initial: true }")
            ),
            RuleExample(
                .listOrderChanged,
                .risk,
                [.apps],
                (
                    "- { presentation: sheet, path: prices, parameters: { low: int } }\n        - { presentation: push, path: prices, parameters: { low: int, high: int } }",
                    "- { presentation: push, path: prices, parameters: { low: int, high: int } }\n        - { presentation: sheet, path: prices, parameters: { low: int } }"
                )
            ),
            RuleExample(.presentationUnknownToOlder, .risk, [.apps], ("search: tab", "search: \"custom:drawer\"")),
            RuleExample(
                .associationNarrowed,
                .risk,
                [.links, .apps],
                ("path: item/{id}\n    aliases: [\"i/{id}\"]", "path: item/{id}")
            ),
            RuleExample(
                .associationWidened,
                .risk,
                [.links, .apps],
                ("aliases: [\"i/{id}\"]", "aliases: [\"i/{id}\", \"product/{id}\"]")
            ),
            RuleExample(
                .associationNarrowed,
                .risk,
                [.links, .apps],
                ("appID: ABCDE12345.example.shop", "appID: FGHIJ67890.example.shop")
            ),
            RuleExample(
                .associationNarrowed,
                .risk,
                [.links, .apps],
                ("  legacy: { path: legacy }", "  legacy: { path: legacy, web: { open: web } }")
            ),
        ]
}
