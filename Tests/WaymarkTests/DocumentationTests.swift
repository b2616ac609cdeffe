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
        for page in [
            "README.md", "docs/tutorial.md", "docs/reference/authentication.md", "docs/guides/operate/operations.md",
        ] {
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

    @Test(arguments: Page.paths)
    func `the links of a page lead somewhere in the page's own catalog`(_ path: String) async throws {
        let page = try Page(path)
        let catalogs = page.blocks.filter { $0.language == "yaml" && $0.text.hasPrefix("version:") }.map(\.text)
        // A console block is run, and may fail as the page says.
        let text = (page.prose + page.blocks.filter { $0.language == "sh" }.map(\.text)).joined(separator: "\n")
        for (host, owners) in Self.owners(catalogs) {
            for link in text.matches(of: /https:\/\/([a-z0-9.-]+)(\/[A-Za-z0-9\/._~%-]*)?/) where link.1 == host {
                guard !(link.2 ?? "").hasPrefix("/.well-known") else { continue }
                var answers: [String] = []
                for catalog in owners {
                    answers.append(try await Self.answer(to: String(link.0), catalog))
                }
                #expect(answers.contains(""), "\(path): \(link.0): \(answers)")
            }
        }
    }

    /// The catalogs that own each host of an https origin.
    private static func owners(_ catalogs: [String]) -> [Substring: [String]] {
        var owners: [Substring: [String]] = [:]
        for catalog in catalogs {
            for origin in catalog.matches(of: /scheme: https, hosts: \[([^\]]*)\]/) {
                for host in origin.1.split(separator: ", ") { owners[host, default: []].append(catalog) }
            }
        }
        return owners
    }

    /// Returns the fault of a link, for a user of the highest level; nothing if it leads somewhere.
    private static func answer(to link: String, _ catalog: String) async throws -> String {
        try await TemporaryFolder.with { folder in
            try catalog.write(toFile: folder + "/routes.yaml", atomically: true, encoding: .utf8)
            let own = catalog.firstMatch(of: /\nlevels: \[.*?([A-Za-z0-9_-]+)[ }]*\]\n/).map { String($0.1) }
            let question = ["resolve", link, "--level", own ?? "premiumUser", "--catalog", folder + "/routes.yaml"]
            return try await Waymark.run(question).errors
        }
    }

    @Test func `every example with a web host answers the host alone`() async throws {
        var hosts = 0
        for file in try Checkout.files(in: "Config/examples", withExtension: "yaml") {
            let text = try String(contentsOf: file, encoding: .utf8)
            for (host, _) in Self.owners([text]) where !host.contains("*") {
                hosts += 1
                #expect(try await Self.answer(to: "https://\(host)/", text) == "", "\(file.lastPathComponent): \(host)")
            }
        }
        #expect(hosts >= 4)
    }

    /// Expects the scripts of a text to be there, and to know the options that follow them.
    private func expectScripts(in text: String) throws {
        for line in text.components(separatedBy: "\n") {
            guard let name = line.firstMatch(of: /^(scripts\/[a-z-]+)/)?.1 else { continue }
            let script = String(decoding: try Checkout.bytes(String(name)), as: UTF8.self)
            let command = line.prefix { $0 != "#" }
            if let proof = command.firstMatch(of: /^scripts\/prove ([a-z-]+)/)?.1, proof != "all" {
                #expect(script.contains("\"\(proof)\": Proof("), "\(line)")
                continue
            }
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

    @Test(arguments: ["README.md", "docs/README.md"])
    func `links lead from a first page to every page`(_ first: String) throws {
        var reached: Set<String> = []
        var waiting = [first]
        while let path = waiting.popLast() {
            guard path.hasSuffix(".md"), reached.insert(path).inserted else { continue }
            waiting += try Page(path).links.filter { !$0.hasPrefix("https://") && !$0.hasPrefix("#") }
                .map { Self.path(String($0.prefix { $0 != "#" }), from: path) }
        }
        #expect(Set(Page.paths).subtracting(reached).subtracting(["README.md"]) == [])
    }

    /// The path from the top of the checkout that a link of a page means.
    private static func path(_ link: String, from page: String) -> String {
        var parts = page.split(separator: "/").dropLast()
        for part in link.split(separator: "/") {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    @Test func `the README is one page, and no line of it needs scrolling`() throws {
        let lines = String(decoding: try Checkout.bytes("README.md"), as: UTF8.self).components(separatedBy: "\n")
        #expect(lines.count - 1 <= 130)
        for line in lines { #expect(line.count <= 140, "\(line)") }
    }

    @Test func `the README's measurements are those of the page on performance`() throws {
        let readme = try Page("README.md").prose.joined(separator: " ")
        let said = try #require(readme.firstMatch(of: /takes ([0-9.]+ µs) of CPU, ([0-9.]+) of what a Go server takes/))
        let rows = try Page("docs/reference/performance.md").prose
        #expect(
            rows.contains {
                $0.hasPrefix("| `/v1/resolve`: CPU per request | \(said.1) |") && $0.contains("| \(said.2) |")
            }
        )
    }
}
