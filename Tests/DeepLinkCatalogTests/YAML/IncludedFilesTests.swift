import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import Foundation
import Testing

/// Tests of catalogs that include files.
@Suite struct IncludedFilesTests {
    private static let own = """
        version: 1
        include: [teams/*.yaml, shared.yaml]
        origins: [{ scheme: shop }]
        grants: [pro, kyc, club]
        gates: { kyc: /home }
        entry: { home: { presentation: root, initial: true } }
        routes:
          home: { opens: { orders: push, terms: sheet } }

        """

    private static let files = [
        "routes.yaml": own,
        "shared.yaml": """
        routes:
          terms: { path: "terms/{page}" }

        """,
        "teams/orders.yaml": """
        gates: { club: /home }
        routes:
          orders:
            opens: { order: push }
          order: { path: "{id}", requires: [pro] }

        """,
        "teams/pay.yaml": """
        gates: { pro: /home }

        """,
    ]

    /// The members of a catalog's JSON that 1.0 reads: `CatalogBody` and its extensions in the source of 1.0.0.
    ///
    /// 1.0 reads no member of `location`.
    private static let membersOfFirstRelease: Set<String> = [
        "catalogVersion", "origins", "scheme", "authority", "hosts", "pathPrefix", "fragment", "shortLinks",
        "plusIsSpace", "levels", "grants", "gates", "link", "over", "was", "from", "apps", "web", "entry", "routes",
        "name", "description", "path", "query", "aliases", "parameters", "authorizationLevel", "requires", "since",
        "signed", "shortLink", "length", "within", "opens", "location", "route", "presentation", "initial", "linkable",
        "type", "inherit", "required", "take", "expected", "default", "value", "invalid", "separator", "min", "max",
        "fields", "pattern", "values",
    ]

    private func members(of value: JSONValue) -> Set<String> {
        switch value {
        case .object(let object):
            object.reduce(into: []) { names, member in
                names.insert(member.name.string)
                if member.name != "location" { names.formUnion(members(of: member.value)) }
            }
        case .array(let items): items.reduce(into: []) { $0.formUnion(members(of: $1)) }
        default: []
        }
    }

    @Test func `the version is the digest of all files, the catalog's own first`() async throws {
        try await CatalogFolder.with(Self.files) { folder in
            let reading = try folder.read()
            #expect(reading.files.included.map(\.name) == ["shared.yaml", "teams/orders.yaml", "teams/pay.yaml"])
            #expect(try reading.outcome.get().version == "de5aa45acd7c")
            try folder.write("# A comment.\n", to: "teams/empty.yml")
            #expect(try folder.read().outcome.get().version == "de5aa45acd7c")
            try folder.write(Self.files["shared.yaml", default: ""] + "\n", to: "shared.yaml")
            #expect(try folder.read().outcome.get().version != "de5aa45acd7c")
        }
    }

    @Test func `gates are in the order of the files, the catalog's own first`() async throws {
        try await CatalogFolder.with(Self.files) { folder in
            let catalog = try folder.read().outcome.get()
            #expect(catalog.gatesInOrder.map { catalog.text(of: $0.gives) } == ["kyc", "club", "pro"])
            #expect(catalog.routes.map(\.name) == ["home", "terms", "orders", "order"])
        }
    }

    @Test func `the JSON names the file of a location, relative to the folder, unless it is the catalog's own`()
        async throws
    {
        try await CatalogFolder.with(Self.files) { folder in
            let catalog = try folder.read().outcome.get()
            let json = String(decoding: CatalogBody(catalog).json, as: UTF8.self)
            #expect(json.contains(#""location":{"line":8,"column":3}}"#), "\(json)")
            #expect(json.contains(#""location":{"file":"shared.yaml","line":2,"column":3}}"#), "\(json)")
            #expect(json.contains(#""location":{"file":"teams/orders.yaml","line":4,"column":14}}"#), "\(json)")
            #expect(!json.contains(folder.path))
            let gate = try #require(catalog.keys.location(of: "pro", below: .gates))
            #expect(gate == SourceLocation(file: folder.path + "/teams/pay.yaml", line: 1, column: 10))
        }
    }

    @Test func `a bundle has the routes of all files, and only members that 1.0 reads`() async throws {
        try await CatalogFolder.with(Self.files) { folder in
            let catalog = try folder.read().outcome.get()
            let json = try JSONParser.parse(CatalogBody(catalog).json)
            let members = members(of: json)
            #expect(members.isSubset(of: Self.membersOfFirstRelease.union(["kyc", "club", "pro"])), "\(members)")
            let bytes = BundleDocument.bytes(of: catalog, sequence: 1, issuedAt: Timestamp(millisecondsSinceEpoch: 0))
            let bundle = try BundleDocument(bytes).catalog
            #expect(bundle.routes.map(\.name) == catalog.routes.map(\.name))
            #expect(bundle.version == catalog.version)
        }
    }

    @Test func `files that were read before are the same catalog`() async throws {
        try await CatalogFolder.with(Self.files) { folder in
            let reading = try folder.read()
            let catalog = try reading.outcome.get()
            let again = try CatalogLoader.load(reading.files, file: folder.path + "/routes.yaml")
            #expect(again.version == catalog.version)
            #expect(CatalogBody(again).json == CatalogBody(catalog).json)
        }
    }

    @Test func `a catalog in JSON with a version includes nothing`() async throws {
        try await CatalogFolder.with(Self.files) { folder in
            let json = CatalogBody(try folder.read().outcome.get()).json
            let text = String(decoding: json.dropLast(), as: UTF8.self) + #","include":["shared.yaml"]}"#
            try folder.write(text, to: "catalog.json")
            #expect(folder.issues(of: "catalog.json").map(\.code) == [.includeOutside])
        }
    }

    @Test func `both places of a second declaration are named`() async throws {
        var files = Self.files
        files["teams/zoo.yaml"] = "routes: { terms: {} }\ngates: { kyc: /home }\n"
        try await CatalogFolder.with(files) { folder in
            let issues = folder.issues()
            #expect(issues.map(\.code) == [.duplicateRoute, .duplicateGate])
            #expect(
                issues.map(\.message) == [
                    "The route `terms` is also declared at shared.yaml:2:3.",
                    "The gate of `kyc` is also declared at routes.yaml:5:10.",
                ]
            )
        }
    }

    // MARK: Names

    @Test(
        arguments: [
            ("?.yaml", ["a.yaml", "é.yaml"]), ("a*.yaml", ["a.yaml", "ab.yaml"]), ("*b*.y?ml", ["ab.yaml"]),
            ("*", ["a.yaml", "ab.yaml", "é.yaml"]), (".*", [".a.yaml"]), ("*/*.yaml", ["c/a.yaml"]),
            ("./a.yaml", ["a.yaml"]), ("*a*a*.yaml", []), ("[a].yaml", []),
        ]
    )
    func `a pattern matches as in a shell, but for brackets`(_ pattern: String, _ names: [String]) async throws {
        let files = ["a.yaml", "ab.yaml", ".a.yaml", "é.yaml", "c/a.yaml"]
        let catalog = Self.own.replacing("[teams/*.yaml, shared.yaml]", with: "[\"t/\(pattern)\"]")
        var folder = Dictionary(uniqueKeysWithValues: files.map { ("t/" + $0, "{}") })
        folder["routes.yaml"] = catalog
        try await CatalogFolder.with(folder) { folder in
            let found = try folder.read().files.included.map(\.name)
            #expect(found == names.map { "t/" + $0 })
        }
    }

    @Test func `files are in the order of their bytes, and each counts once`() async throws {
        let names = ["B.yaml", "a.yaml", "a/b.yaml", "é.yaml"]
        var files = Dictionary(uniqueKeysWithValues: names.map { ("t/" + $0, "{}") })
        files["routes.yaml"] = Self.own
            .replacing("[teams/*.yaml, shared.yaml]", with: #"["t/a/*", "t/*.yaml", t/a.yaml, "t/?.yaml"]"#)
        try await CatalogFolder.with(files) { folder in
            let found = try folder.read().files.included.map(\.name)
            #expect(found == names.map { "t/" + $0 })
        }
    }

    @Test func `a link stays in the folder, whatever it is called`() async throws {
        try await CatalogFolder.with(["elsewhere.yaml": "{}", "app/routes.yaml": Self.own]) { folder in
            try FileManager.default.createDirectory(
                atPath: folder.path + "/app/teams",
                withIntermediateDirectories: false
            )
            try folder.write(Self.files["shared.yaml", default: ""], to: "app/real/terms.yaml")
            try folder.write(Self.files["teams/orders.yaml", default: ""], to: "app/teams/orders.yaml")
            try folder.write(Self.files["teams/pay.yaml", default: ""], to: "app/teams/pay.yaml")
            func link(_ name: String, to target: String) throws {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(folder.path)/app/\(name)",
                    withDestinationPath: target
                )
            }
            try link("shared.yaml", to: "real/terms.yaml")
            #expect(folder.issues(of: "app/routes.yaml").isEmpty)
            try link("teams/out.yaml", to: "../../elsewhere.yaml")
            try link("teams/self.yaml", to: "../routes.yaml")
            try link("teams/nothing.yaml", to: "nowhere")
            let issues = folder.issues(of: "app/routes.yaml")
            #expect(issues.map(\.code) == [.includeCycle, .includeOutside, .invalidValue])
            #expect(issues.allSatisfy { $0.location.line == 2 && $0.location.column == 11 })
            // The catalog's folder may itself be reached through a link.
            try FileManager.default.createSymbolicLink(atPath: folder.path + "/current", withDestinationPath: "app")
            for name in ["out", "self", "nothing"] {
                try FileManager.default.removeItem(atPath: "\(folder.path)/app/teams/\(name).yaml")
            }
            #expect(folder.issues(of: "current/routes.yaml").isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a pipe, a device and a folder are named, and not waited for`() async throws {
        try await CatalogFolder.with(Self.files) { folder in
            #expect(mkfifo(folder.path + "/teams/a.yaml", 0o600) == 0)
            try FileManager.default.createDirectory(
                atPath: folder.path + "/teams/b.yaml",
                withIntermediateDirectories: false
            )
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/teams/c.yaml",
                withDestinationPath: "/dev/zero"
            )
            let issues = folder.issues()
            #expect(issues.map(\.code) == [.includeOutside, .invalidValue, .invalidValue])
            #expect(
                issues.dropFirst().map(\.message) == [
                    "`teams/a.yaml` cannot be read: it isn't a regular file.",
                    "`teams/b.yaml` cannot be read: it is a folder.",
                ]
            )
        }
    }

    // MARK: Bounds

    @Test func `a hundred files of a hundred routes are one catalog`() async throws {
        var files = ["routes.yaml": "version: 1\ninclude: [teams/*.yaml]\norigins: [{ scheme: shop }]\nentry:\n"]
        for team in 0..<100 {
            files["routes.yaml"]? += "  t\(team)r0: root\n"
            let edges = (1..<100).map { "t\(team)r\($0): push" }.joined(separator: ", ")
            files["teams/\(team).yaml"] =
                "routes:\n  t\(team)r0: { opens: { \(edges) } }\n"
                + (1..<100).map { "  t\(team)r\($0): {}\n" }.joined()
        }
        try await CatalogFolder.with(files) { folder in
            let catalog = try folder.read().outcome.get()
            #expect(catalog.routes.count == 10_000)
        }
    }

    @Test func `too many files are refused, too many bytes, and a name of too many parts`() async throws {
        var files = ["routes.yaml": Self.own.replacing(", shared.yaml", with: "")]
        for number in 0...1_000 { files["teams/\(number).yaml"] = "{}" }
        try await CatalogFolder.with(files) { folder in
            let issues = folder.issues()
            #expect(issues.map(\.code) == [.tooLarge])
            #expect(issues.first?.message == "`include` matches more than 1000 files.")
        }
        let long = String(repeating: "a/", count: 1_000_000)
        let name = Self.own.replacing("[teams/*.yaml, shared.yaml]", with: "[\(long)]")
        try await CatalogFolder.with(["routes.yaml": name]) { folder in
            let issues = folder.issues()
            #expect(issues.map(\.code) == [.invalidValue])
            #expect(issues.first?.message == "A name in `include` has 2000000 bytes.")
        }
        let comment = "#" + String(repeating: "x", count: CatalogLoader.maximumByteCount / 2) + "\n{}\n"
        files = ["routes.yaml": files["routes.yaml", default: ""], "teams/a.yaml": comment, "teams/b.yaml": comment]
        try await CatalogFolder.with(files) { folder in
            #expect(folder.issues().map(\.code) == [.tooLarge])
        }
    }
}
