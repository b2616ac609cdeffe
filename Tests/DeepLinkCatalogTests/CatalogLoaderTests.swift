import DeepLinkCatalog
import DeepLinkCore
import Testing
import WaymarkTestSupport

@Suite struct CatalogLoaderTests {
    @Test func `the sample app is sound`() throws {
        let catalog = try SampleApp.catalog()
        #expect(catalog.routes.count == 14)
        #expect(catalog.origins.map(\.scheme) == ["navigation", "https"])
    }

    @Test func `the catalog that the reference begins with is sound`() throws {
        let path = "docs/reference/catalog.md"
        let block = try #require(try Page(path).blocks.first { $0.language == "yaml" })
        #expect(try CatalogLoader.load(Array(block.text.utf8), file: path).routes.count == 7)
    }

    @Test func `containers that multiply without end are refused at once`() {
        // Two to the power of seventy ways through seventy layers.
        let layers = (0..<70)
            .flatMap { layer in
                ["a", "b"]
                    .map { "  \($0)\(layer): { path: \"\", opens: { a\(layer + 1): push, b\(layer + 1): push } }\n" }
            }
        let yaml =
            "version: 1\norigins: [{ scheme: nav }]\ngates: { signedInUser: /a70 }\nentry: { a0: root, b0: root }\n"
            + "routes:\n" + layers.joined() + "  a70: {}\n  b70: { authorizationLevel: signedInUser }\n"
        let error = #expect(throws: CatalogError.self) { try CatalogLoader.load(Array(yaml.utf8), file: "t") }
        #expect(error?.issues.map(\.code) == [.tooLarge])
    }

    @Test func `a thousand siblings that begin alike are no trouble`() throws {
        let names = (0..<1000).map { "v\($0)" }
        let yaml =
            "version: 1\norigins: [{ scheme: nav }]\nentry: { r: root }\nroutes:\n  r: { path: \"\", opens: { "
            + names.map { "\($0): push" }.joined(separator: ", ") + " } }\n"
            + names.map { "  \($0): { path: \"{id}/\($0)\", parameters: { id: int } }\n" }.joined()
        let catalog = try CatalogLoader.load(Array(yaml.utf8), file: "t")
        let link = try DeepLink("nav:///7/v999")
        guard case .plan(let plan) = resolve(ResolutionRequest(link: link), userLevel: .none, catalog: catalog) else {
            Issue.record("the last sibling is found")
            return
        }
        #expect(plan.stack.map(\.route) == ["r", "v999"])
    }

    @Test func `the version is the beginning of the file's digest`() throws {
        let yaml = Array("version: 1\norigins: [{ scheme: nav }]\nentry: { a: root }\nroutes: { a: {} }\n".utf8)
        // printf … | sha256sum
        #expect(try CatalogLoader.load(yaml, file: "a").version == "c8ec17c06a54")
        #expect(try CatalogLoader.load(yaml + [0x0A], file: "a").version != "c8ec17c06a54")
    }

    @Test func `ten mistakes are reported at once, in the order of the file`() throws {
        let bytes = try Checkout.bytes("Tests/DeepLinkCatalogTests/TenMistakes.yaml")
        let error = #expect(throws: CatalogError.self) { try CatalogLoader.load(bytes, file: "ten.yaml") }
        let found = (error?.issues ?? []).map { "\($0.location.line):\($0.location.column) \($0.code.rawValue)" }
        #expect(
            found == [
                "4:5 invalid-origin",
                "6:17 gate-unresolved",
                "7:35 duplicate-key",
                "10:29 unknown-route",
                "10:44 root-outside-entry",
                "11:12 unknown-key",
                "12:3 missing-gate",
                "14:49 invalid-parameter",
                "16:18 invalid-path",
                "17:3 unreachable-route",
            ]
        )
    }

    @Test(arguments: [
        "a: &a [*a]", "a: *b", "? [x]\n: y", "- - -", "\u{FEFF}version: 1", "version: 1\r\norigins: []\r\n", "\t", "%",
        "!!binary x", "--- a\n--- b", "null", "'", "{", "[", "version: !!int 1", "a: &x {b: *x}", "<<: 1", "? ? ?",
        "version: 1\norigins: [[[[]]]]\nentry: 5\nroutes: x\ngates: []",
        "version: 1\norigins: [{ scheme: nav }]\nentry: { a: root }\nroutes: { a: { opens: { a: [] } } }",
        "version: 1\norigins: [{ scheme: nav }]\nentry: { a: root }\nroutes: { a: { parameters: { x: { min: {} } } } }",
        "\"a\": 1\n\"a\": 2\n'a': 3\na: 4", "a: 1\n\"\": 2\n\"\": 3",
    ])
    func `hostile text is refused and never traps`(_ yaml: String) {
        let error = #expect(throws: CatalogError.self) { try CatalogLoader.load(Array(yaml.utf8), file: "hostile") }
        #expect(error?.issues.isEmpty == false)
    }

    @Test func `a few lines of nested aliases are too large`() {
        var yaml = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            yaml +=
                "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
                + "]\n"
        }
        let error = #expect(throws: CatalogError.self) { try CatalogLoader.load(Array(yaml.utf8), file: "bomb") }
        #expect(error?.issues.map(\.code) == [.tooLarge])
    }

    @Test func `deep nesting is refused`() {
        let yaml = String(repeating: "[", count: 100_000)
        #expect(throws: CatalogError.self) { try CatalogLoader.load(Array(yaml.utf8), file: "deep") }
    }

    @Test func `mutated catalogs never trap`() throws {
        let original = try Checkout.bytes("Config/routes.yaml")
        var generator = SeededGenerator(seed: 7)
        let pieces = [
            ": ", "{", "}", "[", "]", "*a", "&a ", "\n", "  ", "'", "path: ''", "opens: ", "<<", "- ", "#", "é",
        ]
        for _ in 0..<1_000 {
            var bytes = original
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                let position = Int.random(in: 0..<bytes.count, using: &generator)
                if generator.oneIn(2) {
                    bytes.insert(contentsOf: Array(generator.pick(pieces).utf8), at: position)
                } else {
                    bytes.removeSubrange(
                        position..<min(bytes.count, position + Int.random(in: 1...9, using: &generator))
                    )
                }
            }
            do throws(CatalogError) {
                _ = try CatalogLoader.load(bytes, file: "mutated")
            } catch {
                #expect(!error.issues.isEmpty)
            }
        }
    }
}
