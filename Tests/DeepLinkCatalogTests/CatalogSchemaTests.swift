import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import Foundation
import Testing
import WaymarkTestSupport
import Yams

/// Holds `Config/catalog.schema.json`, which editors read, to what the loader takes and refuses.
@Suite struct CatalogSchemaTests {
    /// The codes of faults of shape, all of which a schema can find.
    private static let shapes: Set<String> = [
        "unknown-key", "missing-key", "wrong-type", "invalid-value", "unsupported-version", "path-and-query",
    ]

    /// The other codes that the schema finds in part: what compares two values is beyond it.
    private static let parts: Set<String> = ["invalid-origin", "invalid-path", "invalid-parameter"]

    private let schema: JSONSchema

    init() throws {
        schema = try JSONSchema(try Checkout.bytes("Config/catalog.schema.json"))
    }

    @Test func `every catalog of the samples and of the golden files fits`() throws {
        var count = 0
        for folder in ["Config", "Config/examples"] {
            for url in try Checkout.files(in: folder, withExtension: "yaml")
            where url.lastPathComponent != "service.yaml" {
                #expect(try fits(String(contentsOf: url, encoding: .utf8)), "\(url.lastPathComponent)")
                count += 1
            }
        }
        for folder in ["Tests/DeepLinkCoreTests/Cases", "Tests/DeepLinkCoreTests/Cases/destinations"] {
            for url in try Checkout.files(in: folder, withExtension: "yaml") {
                let file = try Yams.compose(yaml: String(contentsOf: url, encoding: .utf8))
                guard let catalog = file?["catalog"]?.string else { continue }
                #expect(try fits(catalog), "\(url.lastPathComponent)")
                count += 1
            }
        }
        #expect(count > 10)
    }

    @Test func `the files of a family of apps fit, the included files by a definition of their own`() throws {
        let family = try Checkout.files(in: "Config/examples/family", withExtension: "yaml")
        let catalog = try #require(family.first { $0.lastPathComponent == "catalog.yaml" })
        #expect(try fits(String(contentsOf: catalog, encoding: .utf8)))
        let teams = try Checkout.files(in: "Config/examples/family/teams", withExtension: "yaml")
        #expect(teams.count > 1)
        let included = try includedFileSchema()
        for url in teams {
            let node = try #require(try Yams.compose(yaml: String(contentsOf: url, encoding: .utf8)))
            #expect(included.accepts(JSONValue(node)), "\(url.lastPathComponent)")
            #expect(!schema.accepts(JSONValue(node)), "\(url.lastPathComponent)")
        }
    }

    @Test(arguments: IssueCase.all)
    func `the schema refuses the shapes that the loader refuses, and nothing that loads`(
        _ example: IssueCase
    ) throws {
        let codes = Set(example.want.map(\.code))
        let errors = codes.filter { CatalogIssue.Code(rawValue: $0)?.severity == .error }
        if errors.isEmpty || example.comparesParts { #expect(try fits(example.catalog)) }
        guard !example.comparesParts else { return }
        // Text that isn't YAML, or too much of it, isn't a question of its shape.
        guard !codes.isDisjoint(with: Self.shapes), codes.isDisjoint(with: ["invalid-yaml", "merge-key", "too-large"])
        else {
            return
        }
        #expect(try !fits(example.catalog), "\(example.catalog)")
    }

    @Test func `it finds most faults of origins, paths and parameters too`() throws {
        var found = 0
        let examples = IssueCase.all.filter { !Self.parts.isDisjoint(with: $0.want.map(\.code)) }
        for example in examples where try !fits(example.catalog) { found += 1 }
        #expect(found * 2 > examples.count, "\(found) of \(examples.count)")
    }

    /// Returns the schema of an included file, to which the comment at the beginning of such a file leads editors.
    private func includedFileSchema() throws -> JSONSchema {
        guard case .object(let whole) = try JSONParser.parse(try Checkout.bytes("Config/catalog.schema.json")) else {
            throw CocoaError(.coderReadCorrupt)
        }
        var root = JSONObject()
        root.set(.string("#/$defs/includedFile"), for: "$ref")
        root.set(try #require(whole["$defs"]), for: "$defs")
        var writer = JSONWriter()
        writer.json(.object(root))
        return try JSONSchema(writer.bytes)
    }

    private func fits(_ yaml: String) throws -> Bool {
        guard let node = try Yams.compose(yaml: yaml) else { return false }
        return schema.accepts(JSONValue(node))
    }
}

extension JSONValue {
    /// Takes a YAML value over as editors do: what stands without quotes may be a number, a truth value or nothing.
    fileprivate init(_ node: Node) {
        switch node {
        case .mapping(let mapping):
            var object = JSONObject()
            for (key, value) in mapping { object.set(JSONValue(value), for: (key.scalar?.string ?? "").bytewise) }
            self = .object(object)
        case .sequence(let sequence): self = .array(sequence.map(JSONValue.init))
        case .scalar(let scalar):
            guard scalar.style == .plain else {
                self = .string(scalar.string)
                return
            }
            switch scalar.string {
            case "", "~", "null": self = .null
            case "true", "false": self = .bool(scalar.string == "true")
            default:
                self =
                    Int64(scalar.string).map { .integer($0) } ?? Double(scalar.string).map { .number($0) }
                    ?? .string(scalar.string)
            }
        case .alias: self = .null
        }
    }
}
