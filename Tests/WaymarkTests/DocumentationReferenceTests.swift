import DeepLinkCore
import Foundation
import Testing
import WaymarkTestSupport

/// Holds the documentation to what it is about: names, codes, commands and scripts are those of the sources.
@Suite struct DocumentationReferenceTests {
    @Test func `sources name pages, records and files that are there`() throws {
        let files =
            ["Package.swift", "CHANGELOG.md"] + Page.paths + (try Self.files(in: "Sources"))
            + (try Self.files(in: "scripts"))
        for file in files {
            let text = String(decoding: try Checkout.bytes(file), as: UTF8.self)
            for record in text.matches(of: /decision record (\d+)/) {
                let prefix = String(repeating: "0", count: 4 - record.1.count) + record.1 + "-"
                #expect(Page.paths.contains { $0.hasPrefix("docs/decisions/\(prefix)") }, "\(file): \(record.0)")
            }
            for page in text.matches(of: /\bdocs\/[a-z\/-]+\.md/) {
                #expect(Page.paths.contains(String(page.0)), "\(file): \(page.0)")
            }
        }
    }

    private static func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: Checkout.path(folder)).map { "\(folder)/\($0)" }
            .filter { path in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: Checkout.path(path), isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
    }

    @Test(arguments: [
        "docs/development.md", "docs/glossary.md", "docs/threat-model.md", "docs/endpoint-rules.md", "CONTRIBUTING.md",
    ])
    func `files and types of the sources that a page names are there`(_ path: String) throws {
        let files = try Self.files(in: "Sources") + Self.files(in: "Tests")
        let parts = Set(files.flatMap { $0.split(separator: "/").map(String.init) })
        var unknown: Set<String> = []
        for line in try Page(path).prose {
            for word in line.matches(of: /`([^`]+)`/).map({ String($0.1) }) {
                if word.wholeMatch(of: /(Sources|Tests|Config)\/.*/) != nil {
                    #expect(FileManager.default.fileExists(atPath: Checkout.path(word)), "\(path): \(word)")
                } else if word.hasSuffix(".swift") || word.wholeMatch(of: /[A-Z][a-z]\w+/) != nil {
                    let isThere = parts.contains(word) || parts.contains(word + ".swift")
                    if !isThere { unknown.insert(word) }
                }
            }
        }
        unknown.subtract(Self.foreignNames)
        // A type without a file of its own is in that of another type.
        for file in files where file.hasSuffix(".swift") && !unknown.isEmpty {
            let code = String(decoding: try Checkout.bytes(file), as: UTF8.self)
            unknown = unknown.filter { name in
                !["struct", "class", "enum", "protocol"]
                    .contains { kind in
                        [" {", ":", "<"].contains { code.contains("\(kind) \(name)\($0)") }
                    }
            }
        }
        #expect(unknown == [], "\(path)")
    }

    /// Names in the pages that look like types of ours, and are not.
    private static let foreignNames: Set = [
        "Accept", "Allow", "Character", "Forwarded", "Host", "Package.swift", "String", "Vary", "Via",
    ]

    @Test func `the page on problems has every code, title and reason`() throws {
        let page = String(decoding: try Checkout.bytes("docs/reference/problems.md"), as: UTF8.self)
        let document = try JSONSerialization.jsonObject(
            with: Data(try Checkout.bytes("Sources/Apps/EmbeddedFiles/openapi.json"))
        )
        let components = (document as? [String: Any])?["components"] as? [String: Any]
        let schemas = try #require(components?["schemas"] as? [String: Any])
        var count = 0
        for case let properties as [String: Any] in schemas.values.map({ ($0 as? [String: Any])?["properties"] as Any })
        {
            guard let type = (properties["type"] as? [String: Any])?["const"] as? String else { continue }
            count += 1
            let title = (properties["title"] as? [String: Any])?["const"] as? String ?? ""
            let code = type.replacing("urn:waymark:problem:", with: "")
            let hasRow = page.contains("| `\(code)` | \(title) |")
            #expect(hasRow, "\(code)")
            for reason in (properties["reason"] as? [String: Any])?["enum"] as? [String] ?? [] {
                let hasReason = page.contains("| `\(reason)` |")
                #expect(hasReason, "\(code): \(reason)")
            }
        }
        #expect(count > 20)
    }

    @Test func `the page on catalogs has every issue`() throws {
        let page = String(decoding: try Checkout.bytes("docs/reference/catalog.md"), as: UTF8.self)
        for code in CatalogIssue.Code.allCases {
            let hasRow = page.contains("| `\(code.rawValue)` |")
            #expect(hasRow, "\(code.rawValue)")
        }
    }

    @Test func `the page on the command line has every command, with its options`() async throws {
        let rows = try Page("docs/reference/command-line.md").prose.filter { $0.hasPrefix("| `waymark ") }
        let help = try await Waymark.run(["--experimental-dump-help"]).output
        let document = try JSONSerialization.jsonObject(with: Data(help.utf8)) as? [String: Any]
        let commands = Self.commands(of: try #require(document?["command"] as? [String: Any]), under: "")
        #expect(commands.count == rows.count)
        for (name, options) in commands {
            let row = try #require(rows.first { $0.hasPrefix("| `\(name)`") || $0.hasPrefix("| `\(name) ") }, "\(name)")
            // The options of a server are settings, and on their page.
            for option in options where name != "waymark serve" && !["catalog", "database", "config"].contains(option) {
                let hasOption = row.contains("--\(option)")
                #expect(hasOption, "\(name) --\(option)")
            }
        }
    }

    /// The commands that a command is made of, each with the names of its options.
    private static func commands(of command: [String: Any], under path: String) -> [(name: String, options: [String])] {
        let own = command["commandName"] as? String ?? ""
        let name = path.isEmpty ? own : "\(path) \(own)"
        let parts = (command["subcommands"] as? [[String: Any]] ?? []).filter { $0["commandName"] as? String != "help" }
        guard parts.isEmpty else { return parts.flatMap { commands(of: $0, under: name) } }
        let options = (command["arguments"] as? [[String: Any]] ?? []).filter { $0["kind"] as? String != "positional" }
            .compactMap { ($0["preferredName"] as? [String: Any])?["name"] as? String }
        return [(name, options.filter { $0 != "help" && $0 != "version" })]
    }

    @Test func `the page on development has a row for every target, under its folder`() throws {
        let page = String(decoding: try Checkout.bytes("docs/development.md"), as: UTF8.self)
        for room in try FileManager.default.contentsOfDirectory(atPath: Checkout.path("Sources")) {
            for target in try FileManager.default.contentsOfDirectory(atPath: Checkout.path("Sources/\(room)")) {
                let isThere = page.contains("| `\(room)` | `\(target)` |")
                #expect(isThere, "\(room)/\(target)")
            }
        }
    }

    @Test func `the map of features names every target, and folders that are there`() throws {
        let page = String(decoding: try Checkout.bytes("CONTRIBUTING.md"), as: UTF8.self)
        let map = try #require(page.components(separatedBy: "\n## ").first { $0.hasPrefix("Where a feature lives\n") })
        for room in try FileManager.default.contentsOfDirectory(atPath: Checkout.path("Sources")) {
            for target in try FileManager.default.contentsOfDirectory(atPath: Checkout.path("Sources/\(room)")) {
                let isThere = map.contains("`\(room)/\(target)")
                #expect(isThere, "\(room)/\(target)")
            }
        }
        for folder in map.matches(of: /`([A-Za-z]+\/[A-Za-z\/]+)`/).map({ "Sources/\($0.1)" }) {
            #expect(FileManager.default.fileExists(atPath: Checkout.path(folder)), "\(folder)")
        }
    }

    @Test func `the page on development has every script`() throws {
        let page = String(decoding: try Checkout.bytes("docs/development.md"), as: UTF8.self)
        for script in try Self.files(in: "scripts") where !script.contains(".") {
            let hasRow = page.contains("| `\(script)` |")
            #expect(hasRow, "\(script)")
        }
    }

    @Test func `the documented pattern finds tokens`() async throws {
        let page = String(decoding: try Checkout.bytes("docs/reference/authentication.md"), as: UTF8.self)
        let pattern = try #require(page.firstMatch(of: /```text\n(wm_.*)\n```/)).1
        try await TemporaryFolder.with { folder in
            let made = try await Waymark.run(["token", "create", "--role", "admin", "--create"], in: folder)
            #expect(try Regex(String(pattern)).wholeMatch(in: made.output.trimmingCharacters(in: .newlines)) != nil)
        }
    }
}
