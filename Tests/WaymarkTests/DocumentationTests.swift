import DeepLinkCore
import Foundation
import Testing
import WaymarkTestSupport

/// Runs what the documentation shows, loads what it holds, and follows its links.
@Suite struct DocumentationTests {
    private static let pages = Page.paths.filter { (try? Page($0)).map(DocumentationSession.isIn) ?? false }

    @Test(arguments: pages)
    func `a session goes as the page shows`(_ path: String) async throws {
        try await DocumentationSession.run(try Page(path))
    }

    @Test func `there are sessions`() {
        for page in ["README.md", "docs/tutorial.md", "docs/reference/authentication.md", "docs/guides/operations.md"] {
            #expect(Self.pages.contains(page), "\(page) has no session")
        }
    }

    @Test(arguments: Page.paths)
    func `catalogs, settings, JSON and shell commands of a page are sound`(_ path: String) async throws {
        let blocks = try Page(path).blocks
        try await TemporaryFolder.with { folder in
            for block in blocks {
                let file = folder + "/block"
                try block.text.write(toFile: file, atomically: true, encoding: .utf8)
                switch block.language {
                case "yaml":
                    let isCatalog = block.text.hasPrefix("version:") || block.text.hasPrefix("#")
                    let command =
                        isCatalog ? ["catalog", "check", file] : ["user", "set", "ann", "none", "--config", file]
                    let outcome = try await Waymark.run(
                        command + (isCatalog ? [] : ["--database", folder + "/a.sqlite"])
                    )
                    #expect(outcome.code == 0, "\(outcome.errors)\(block.text)")
                case "json":
                    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(block.text.utf8)) }
                case "sh":
                    let shell = try await Waymark.run(["-n", file], through: ["/bin/bash", "-c", "exec bash \"$@\""])
                    #expect(shell.code == 0, "\(shell.errors)\(block.text)")
                    try expectScripts(in: block.text)
                default: break
                }
            }
        }
    }

    /// Expects the scripts of a text to be there, and to know the options that follow them.
    private func expectScripts(in text: String) throws {
        for line in text.components(separatedBy: "\n") {
            guard let name = line.firstMatch(of: /^(scripts\/[a-z-]+)/)?.1 else { continue }
            let script = String(decoding: try Checkout.bytes(String(name)), as: UTF8.self)
            let command = line.prefix { $0 != "#" }
            for option in command.matches(of: /--[a-z-]+/) {
                // Those of `swift test` and `waymark serve` are passed on.
                #expect(script.contains(option.0) || script.contains("\"$@\""), "\(line)")
            }
        }
    }

    @Test(arguments: Page.paths)
    func `every link leads to a page and a heading that are there`(_ path: String) throws {
        let page = try Page(path)
        for link in page.links where !link.hasPrefix("https://") {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let target = parts[0].isEmpty ? path : Self.path(parts[0], from: path)
            #expect(FileManager.default.fileExists(atPath: Checkout.path(target)), "\(path): \(link)")
            guard parts.count > 1 else { continue }
            #expect(try Page(target).anchors.contains(parts[1]), "\(path): \(link)")
        }
    }

    @Test func `links lead from the README to every page`() throws {
        var reached: Set<String> = []
        var waiting = ["README.md"]
        while let path = waiting.popLast() {
            guard path.hasSuffix(".md"), reached.insert(path).inserted else { continue }
            waiting += try Page(path).links.filter { !$0.hasPrefix("https://") && !$0.hasPrefix("#") }
                .map { Self.path(String($0.prefix { $0 != "#" }), from: path) }
        }
        #expect(Set(Page.paths).subtracting(reached) == [])
    }

    /// The path from the top of the checkout that a link of a page means.
    private static func path(_ link: String, from page: String) -> String {
        var parts = page.split(separator: "/").dropLast()
        for part in link.split(separator: "/") {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    @Test func `the README is one page`() throws {
        #expect(try Checkout.bytes("README.md").count { $0 == UInt8(ascii: "\n") } <= 150)
    }

    @Test func `the README's measurements are those of the page on performance`() throws {
        let (readme, all) = (try Self.measurements("README.md"), try Self.measurements("docs/reference/performance.md"))
        #expect(readme.count == 5)
        for row in readme { #expect(all.contains(row), "\(row)") }
    }

    /// The rows of a page that have a ratio: what was measured of Waymark, the ratio, the target, and whether it is met.
    private static func measurements(_ path: String) throws -> [[String]] {
        try Page(path).prose.map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
            .filter { $0.count == 6 && $0[4].wholeMatch(of: /[≤≥].*/) != nil }
            .map { [$0[1], $0[3], $0[4], $0[5]] }
    }

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
        // What has no file of its own is in that of another type.
        for file in files where file.hasSuffix(".swift") && !unknown.isEmpty {
            let code = String(decoding: try Checkout.bytes(file), as: UTF8.self)
            unknown = unknown.filter { name in
                !["struct", "class", "enum"].contains { code.contains("\($0) \(name) {") }
            }
        }
        #expect(unknown == [], "\(path)")
    }

    /// Names in the pages that look like types of ours, and are not.
    private static let foreignNames: Set = ["Accept", "Allow", "Character", "Host", "String"]

    @Test func `the page on problems has every code, title and reason`() throws {
        let page = String(decoding: try Checkout.bytes("docs/reference/problems.md"), as: UTF8.self)
        let document = try JSONSerialization.jsonObject(
            with: Data(try Checkout.bytes("Sources/OpenAPIDocument/openapi.json"))
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

    @Test func `the documented pattern finds tokens`() async throws {
        let page = String(decoding: try Checkout.bytes("docs/reference/authentication.md"), as: UTF8.self)
        let pattern = try #require(page.firstMatch(of: /```text\n(wm_.*)\n```/)).1
        try await TemporaryFolder.with { folder in
            let made = try await Waymark.run(["token", "create", "--role", "admin"], in: folder)
            #expect(try Regex(String(pattern)).wholeMatch(in: made.output.trimmingCharacters(in: .newlines)) != nil)
        }
    }
}
