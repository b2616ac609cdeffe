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
                        isCatalog
                        ? ["catalog", "check", file] : ["user", "set", "ann", "none", "--create", "--config", file]
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
}
