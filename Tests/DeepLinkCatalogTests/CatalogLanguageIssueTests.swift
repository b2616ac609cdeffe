import DeepLinkCatalog
import DeepLinkCore
import Testing

/// Checks the mistakes that the richer parts of the catalog language invite, each at its place.
@Suite struct CatalogLanguageIssueTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let code: CatalogIssue.Code
        let place: String
        let hint: String
        let yaml: String
        var testDescription: String { "\(code.rawValue) \(place)" }

        init(_ code: CatalogIssue.Code, _ place: String, _ hint: String, _ yaml: String) {
            self.code = code
            self.place = place
            self.hint = hint
            self.yaml = yaml
        }
    }

    /// A catalog of two routes, the second of which is spoilt; its line is 5.
    private static func route(_ declaration: String) -> String {
        "version: 1\norigins: [{ scheme: nav }]\nentry: { a: root }\nroutes:\n  b: \(declaration)\n  a: { opens: { b: push } }"
    }

    /// A catalog whose edge is spoilt; its line is 5.
    private static func edge(_ declaration: String) -> String {
        "version: 1\norigins: [{ scheme: nav }]\nentry: { a: root }\nroutes:\n  a: { opens: { b: \(declaration) } }\n  b: {}"
    }

    private static func origin(_ declaration: String) -> String {
        "version: 1\norigins:\n  - \(declaration)\nentry: { a: root }\nroutes: { a: {} }"
    }

    static let examples: [Example] = [
        // Paths
        Example(.invalidPath, "5:14", "Write segments", route("{ path: \"{x*}/y\" }")),
        Example(.invalidPath, "5:14", "Write segments", route("{ path: \"{a?}/{b?}/{c?}/{d?}/{e?}\" }")),
        Example(.invalidPath, "5:14", "Write segments", route("{ path: \"{x?*}\" }")),
        Example(.invalidPath, "5:34", "the same parameters", route("{ path: \"b/{id}\", aliases: [\"c\"] }")),
        Example(.invalidPath, "5:27", "the same parameters", route("{ path: b, aliases: [\"c/{id}\"] }")),
        Example(.invalidPath, "5:37", "the same parameters", route("{ path: \"b/{rest*}\", aliases: [\"c/{rest}\"] }")),
        Example(.invalidPath, "5:22", "Write segments", route("{ aliases: [ok, \"a//b\"] }")),
        Example(.wrongType, "5:17", "Write a list", route("{ aliases: c }")),
        Example(.pathAndQuery, "5:28", "Remove `aliases`", route("{ query: k, aliases: [c] }")),
        Example(.pathAndQuery, "5:58", "Keep `path`", edge("{ presentation: push, path: x, query: y }")),
        Example(.invalidPath, "5:48", "Write segments", edge("{ presentation: push, path: \"x//y\" }")),
        // Parameters
        Example(.invalidParameter, "5:44", "shared", route("{ parameters: { p: { type: int, take: shard } } }")),
        Example(
            .invalidParameter,
            "5:59",
            "Remove `take`",
            route("{ path: \"b/{p}\", parameters: { p: { type: int, take: next } } }")
        ),
        Example(
            .invalidParameter,
            "5:62",
            "Remove `default`",
            route("{ path: \"b/{p}\", parameters: { p: { type: int, default: 1 } } }")
        ),
        Example(.invalidParameter, "5:37", "{p*}", route("{ path: \"b/{p}\", parameters: { p: [int] } }")),
        Example(
            .invalidParameter,
            "5:37",
            "from the query",
            route("{ path: \"b/{p}\", parameters: { p: { type: object, fields: { x: int } } } }")
        ),
        Example(.invalidParameter, "5:33", "Add `fields", route("{ parameters: { p: { type: object } } }")),
        Example(.invalidParameter, "5:25", "Add `fields", route("{ parameters: { p: object } }")),
        Example(
            .invalidParameter,
            "5:46",
            "`fields` goes with object",
            route("{ parameters: { p: { type: int, fields: { x: int } } } }")
        ),
        Example(
            .invalidParameter,
            "5:54",
            "parameter of its own",
            route("{ parameters: { p: { type: object, fields: { x: [int] } } } }")
        ),
        Example(
            .invalidParameter,
            "5:73",
            "of the object",
            route("{ parameters: { p: { type: object, fields: { x: { type: int, from: y } } } } }")
        ),
        Example(
            .invalidParameter,
            "5:70",
            "Give its fields defaults",
            route("{ parameters: { p: { type: object, fields: { x: int }, default: 1 } } }")
        ),
        Example(.invalidParameter, "5:25", "a type such as", route("{ parameters: { p: [object] } }")),
        Example(.wrongType, "5:25", "[int]", route("{ parameters: { p: [int, string] } }")),
        Example(.wrongType, "5:25", "[int]", route("{ parameters: { p: [] } }")),
        Example(
            .invalidParameter,
            "5:49",
            "a whole number",
            route("{ parameters: { p: { type: [int], default: [a] } } }")
        ),
        Example(
            .invalidParameter,
            "5:49",
            "Leave `default` out",
            route("{ parameters: { p: { type: [int], default: [] } } }")
        ),
        Example(
            .invalidParameter,
            "5:57",
            "within its bounds",
            route("{ parameters: { p: { type: [int], max: 1, default: [1, 2] } } }")
        ),
        Example(
            .invalidParameter,
            "5:49",
            "Remove it",
            route("{ parameters: { p: { type: [int], pattern: a } } }")
        ),
        Example(
            .duplicateKey,
            "5:30",
            "Remove or rename",
            route("{ parameters: { p: int, p: int } }")
        ),
        // Edges
        Example(.missingKey, "5:20", "Write a presentation", edge("[]")),
        Example(.unknownKey, "5:42", "linkable", edge("{ presentation: push, linkabel: false }")),
        Example(.wrongType, "5:52", "`true` or `false`", edge("{ presentation: push, linkable: maybe }")),
        Example(.missingKey, "5:27", "presentation: push", edge("[push, { path: x }]")),
        Example(.missingGate, "5:17", "under `gates`", edge("{ presentation: push, authorizationLevel: premiumUser }")),
        Example(
            .initialConflict,
            "5:60",
            "Keep `initial: true`",
            edge("[{ presentation: push, initial: true }, { presentation: tab, path: x, initial: true }]")
        ),
        Example(.rootOutsideEntry, "5:27", "Move the edge", edge("[push, { presentation: root, path: x }]")),
        // Origins
        Example(.invalidOrigin, "3:31", "segment", origin("{ scheme: nav, authority: segments }")),
        Example(.invalidOrigin, "3:32", "Remove `authority`", origin("{ scheme: http, authority: ignore }")),
        Example(.invalidOrigin, "3:46", "Remove `hosts`", origin("{ scheme: nav, authority: ignore, hosts: [a] }")),
        Example(.invalidOrigin, "3:32", "such as `/app`", origin("{ scheme: nav, pathPrefix: \"/a/{b}\" }")),
        Example(.invalidOrigin, "3:32", "such as `/app`", origin("{ scheme: nav, pathPrefix: \"/\" }")),
        Example(
            .reservedPath,
            "3:5",
            "another prefix",
            origin("{ scheme: https, hosts: [a.com], pathPrefix: /v1/x }")
        ),
        Example(
            .reservedPath,
            "3:10",
            "another segment",
            "version: 1\norigins: [{ scheme: https, hosts: [a.com] }]\nentry: { a: root }\n"
                + "routes: { a: { aliases: [healthz/x] } }"
        ),
        Example(
            .wrongType,
            "3:14",
            "`true` or `false`",
            "version: 1\norigins: [{ scheme: nav }]\nplusIsSpace: 1\nentry: { a: root }\nroutes: { a: {} }"
        ),
        // The graph
        Example(
            .containerCycle,
            "5:17",
            "Give one of them a `path`",
            "version: 1\norigins: [{ scheme: nav }]\nentry: { a: root }\nroutes:\n"
                + "  a: { opens: { a: push }, path: \"{page?}\", parameters: { page: int } }"
        ),
        Example(
            .ambiguousRoutes,
            "3:19",
            "another literal segment",
            "version: 1\norigins: [{ scheme: nav }]\nentry: { a: root, b: root }\n"
                + "routes:\n  a: { path: \"x/{i}\" }\n  b: { path: \"b/{j}\", aliases: [\"x/{j}\"] }"
        ),
        Example(
            .ambiguousRoutes,
            "3:19",
            "another literal segment",
            "version: 1\norigins: [{ scheme: nav }]\nentry: { a: root, b: root }\n"
                + "routes:\n  a: { path: \"{x*}\" }\n  b: { path: \"{y*}\", parameters: { y: uuid } }"
        ),
    ]

    @Test(arguments: examples)
    func `a mistake is reported at its place, with the way out`(_ example: Example) throws {
        let issues: [CatalogIssue]
        do throws(CatalogError) {
            _ = try CatalogLoader.load(Array(example.yaml.utf8), file: "t")
            issues = []
        } catch {
            issues = error.issues
        }
        let places = issues.filter { $0.code == example.code }
            .map { ("\($0.location.line):\($0.location.column)", $0.hint) }
        #expect(places.contains { $0.0 == example.place && $0.1.contains(example.hint) }, "\(issues)")
    }

    @Test(arguments: [
        // Disjoint rests, exclusive patterns and alternatives are told apart.
        "entry: { a: root, b: root }\nroutes:\n  a: { path: \"{x*}\", parameters: { x: int } }\n  b: { path: \"{y*}\", parameters: { y: uuid } }",
        "entry: { a: root }\nroutes:\n  a: { path: \"{x?}/{y?}\" }",
        "entry: { a: [{ presentation: root }, { presentation: root, parameters: { q: { type: int, required: true } } }] }\nroutes: { a: {} }",
        "entry: { a: root }\nroutes:\n  a: { opens: { b: [sheet, push] } }\n  b: { query: k }",
    ])
    func `what can be told apart is no mistake`(_ yaml: String) throws {
        _ = try CatalogLoader.load(Array(("version: 1\norigins: [{ scheme: nav }]\n" + yaml).utf8), file: "t")
    }
}
