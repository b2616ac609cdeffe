import Foundation
import Testing
import WaymarkTestSupport

/// The recipes of `docs/guides/links/catalog-changes.md`, run against repositories as CI systems run them.
@Suite
struct ContinuousIntegrationTests {
    private enum Recipe: String, CaseIterable {
        case shell, github, gitlab
    }

    private static let catalog = """
        version: 1
        origins: [{ scheme: shop, hosts: [shop.example] }]
        entry: { home: root }
        routes:
          home: { opens: { item: push } }
          item: { path: "item/{id}", parameters: { id: int } }

        """

    /// The fenced blocks of the guide's part about CI, without their fences.
    private static func blocks() throws -> [[Substring]] {
        let guide = try String(
            contentsOf: Checkout.root.appending(path: "docs/guides/links/catalog-changes.md"),
            encoding: .utf8
        )
        let lines = guide.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex(of: "## In CI"))
        let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("## ") } ?? lines.endIndex
        return lines[start..<end].split { $0.hasPrefix("```") }.enumerated().filter { $0.offset % 2 == 1 }
            .map { Array($0.element) }
    }

    /// The commands of a recipe, as its CI system hands them to a shell that stops at the first that fails.
    private static func script(_ recipe: Recipe) throws -> String {
        let blocks = try blocks()
        switch recipe {
        case .shell: return try #require(blocks.first { $0.first?.hasPrefix("git") == true }).joined(separator: "\n")
        case .github:
            let block = try #require(blocks.first { $0.contains { $0.hasSuffix("- run: |") } })
            let start = try #require(block.firstIndex { $0.hasSuffix("- run: |") })
            let margin = block[start].prefix { $0 == " " }.count
            return block[(start + 1)...].prefix { $0.prefix { $0 == " " }.count > margin }
                .map { $0.drop { $0 == " " } }
                .joined(separator: "\n")
        case .gitlab:
            let block = try #require(blocks.first { $0.contains("  script:") })
            let start = try #require(block.firstIndex(of: "  script:"))
            return block[(start + 1)...].prefix { $0.hasPrefix("    - ") }.map { $0.dropFirst(6) }
                .joined(separator: "\n")
        }
    }

    /// Runs a script in a clone whose catalog differs from that of the main branch.
    private func run(
        _ recipe: Recipe,
        changing change: (String) -> String,
        hasCatalog: Bool = true,
        accepting accepted: String = "",
        _ check: (_ code: Int32, _ output: String, _ clone: URL) throws -> Void
    ) async throws {
        let script = try Self.script(recipe)
        try await TemporaryFolder.with { folder in
            let root = URL(fileURLWithPath: folder)
            let (main, clone) = (root.appending(path: "main"), root.appending(path: "clone"))
            func write(_ text: String, to name: String, in folder: URL) throws {
                let file = folder.appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try text.write(to: file, atomically: true, encoding: .utf8)
            }
            try write(hasCatalog ? Self.catalog : "", to: hasCatalog ? "Config/routes.yaml" : "other", in: main)
            let git = "git -c user.name=a -c user.email=a@b.example -c init.defaultBranch=main"
            func shell(_ text: String, in folder: URL) throws -> (Int32, String) {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/bin/bash")
                process.arguments = ["-e", "-c", text]
                process.currentDirectoryURL = folder
                let tools = URL(fileURLWithPath: Waymark.path).deletingLastPathComponent().path
                process.environment = [
                    "PATH": tools + ":/usr/local/bin:/usr/bin:/bin", "HOME": root.path,
                    "GITHUB_BASE_REF": "main", "GITHUB_STEP_SUMMARY": root.appending(path: "summary").path,
                    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
                ]
                let output = Pipe()
                process.standardOutput = output
                process.standardError = output
                try process.run()
                let data = try output.fileHandleForReading.readToEnd() ?? Data()
                process.waitUntilExit()
                return (process.terminationStatus, String(decoding: data, as: UTF8.self))
            }
            let made = try shell("\(git) init -q . && git add . && \(git) commit -qm one", in: main)
            #expect(made.0 == 0, "\(made.1)")
            let cloned = try shell("git clone -q main clone", in: root)
            #expect(cloned.0 == 0, "\(cloned.1)")
            try write(change(Self.catalog), to: "Config/routes.yaml", in: clone)
            try write(accepted, to: "waymark-accepted.yaml", in: clone)
            let (code, output) = try shell(script, in: clone)
            try check(code, output, clone)
        }
    }

    private static let comments: @Sendable (String) -> String = { $0 + "# a comment\n" }
    private static let renames: @Sendable (String) -> String = { $0.replacing("item/{id}", with: "product/{id}") }

    @Test
    func `a change that breaks links fails the build, and says so in the system's own form`() async throws {
        for recipe in Recipe.allCases {
            try await run(recipe, changing: Self.renames) { code, output, clone in
                #expect(code == 1, "\(recipe): \(output)")
                switch recipe {
                case .shell: #expect(output.contains("break: links to `home > item` die"))
                case .github:
                    #expect(output.contains("::error file=Config/routes.yaml"), "\(output)")
                    let summary = clone.deletingLastPathComponent().appending(path: "summary")
                    #expect(try String(contentsOf: summary, encoding: .utf8).contains("1 break"))
                case .gitlab:
                    let report = try String(contentsOf: clone.appending(path: "catalog.xml"), encoding: .utf8)
                    #expect(report.contains("<failure"))
                }
            }
        }
    }

    @Test
    func `what harms nobody, and what is accepted, passes`() async throws {
        let accepted = """
            - { rule: path-changed, route: item, old: "/item/{id}", new: "/product/{id}", reason: a, until: 2999-01-01 }
            - { rule: link-dies, route: item, edge: home > item, old: item, new: no-matching-route, reason: a, until: 2999-01-01 }

            """
        for recipe in Recipe.allCases {
            try await run(recipe, changing: Self.comments) { code, output, _ in
                #expect(code == 0, "\(recipe): \(output)")
            }
            try await run(recipe, changing: Self.renames, accepting: accepted) { code, output, _ in
                #expect(code == 0, "\(recipe): \(output)")
            }
        }
    }

    @Test
    func `a branch without a catalog is no reason to pass`() async throws {
        for recipe in Recipe.allCases {
            try await run(recipe, changing: Self.renames, hasCatalog: false) { code, output, _ in
                #expect(code != 0, "\(recipe): \(output)")
            }
        }
    }
}
