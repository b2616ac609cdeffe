import DeepLinkCatalog
import DeepLinkCore
import Testing

/// Leaves keys without values, as a file that is cut off does.
@Suite struct EmptyValueTests {
    private static let head = "version: 1\norigins: [{ scheme: nav }]\n"

    static let examples: [(place: String, hint: String, yaml: String)] = [
        ("3:7", "Name a route", head + "entry:\nroutes: { a: {} }"),
        ("4:8", "Write `{}`", head + "entry: { a: root }\nroutes:"),
        ("5:5", "Write `{}`", head + "entry: { a: root }\nroutes:\n  a:"),
        ("5:6", "Write `{}`", head + "entry: { a: root }\nroutes:\n  a: ~"),
        ("5:6", "Write `{}`", head + "entry: { a: root }\nroutes:\n  a: null"),
        ("3:7", "Write `{}`", head + "gates:\nentry: { a: root }\nroutes: { a: {} }"),
        ("6:11", "Write `{}`", head + "entry: { a: root }\nroutes:\n  a:\n    opens:"),
        ("7:9", "presentation: push", head + "entry: { a: root }\nroutes:\n  a:\n    opens:\n      b:\n  b: {}"),
        ("6:16", "Write `{}`", head + "entry: { a: root }\nroutes:\n  a:\n    parameters:"),
        ("7:9", "type: string", head + "entry: { a: root }\nroutes:\n  a:\n    parameters:\n      p:"),
        ("2:12", "Write `{}`", "version: 1\norigins: [ ~ ]\nentry: { a: root }\nroutes: { a: {} }"),
        ("6:10", "Write a text", head + "entry: { a: root }\nroutes:\n  a:\n    path:"),
        ("6:24", "Write a text", head + "entry: { a: root }\nroutes:\n  a:\n    authorizationLevel:"),
    ]

    @Test(arguments: examples)
    func `a key without a value is an issue at its place`(
        _ example: (place: String, hint: String, yaml: String)
    ) throws {
        let error = #expect(throws: CatalogError.self) {
            try CatalogLoader.load(Array((example.yaml + "\n").utf8), file: "t")
        }
        let issues = error?.issues ?? []
        let found = issues.map { ("\($0.location.line):\($0.location.column)", $0.hint) }
        #expect(found.contains { $0.0 == example.place && $0.1.contains(example.hint) }, "\(issues)")
    }

    @Test func `every key without a value is reported at once`() {
        let yaml = Self.head + "gates:\nentry: { a: root }\nroutes:\n  a:\n  b:\n    opens:\n"
        let error = #expect(throws: CatalogError.self) { try CatalogLoader.load(Array(yaml.utf8), file: "t") }
        #expect(error?.issues.count { $0.hint.contains("Write `{}`") } == 3, "\(error?.issues ?? [])")
    }
}
