import Foundation
import Testing
import WaymarkTestSupport

/// Tests of what becomes of short links when a database is backed up, restored and asked for a person, by the real binary.
@Suite struct ShortLinkDatabaseTests {
    private static let catalog = """
        version: 1
        origins:
          - { scheme: https, hosts: [shop.example] }
          - { scheme: https, hosts: [go.example], shortLinks: true }
        entry: { home: { presentation: root, initial: true } }
        routes:
          home: { path: "", opens: { product: push } }
          product: { path: "p/{id}", parameters: { id: int } }

        """

    /// Runs a body with a function that runs commands in a folder with a catalog and an empty database.
    private func withDatabase(
        _ body: (_ run: ([String]) async throws -> Waymark.Outcome) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try Self.catalog.write(toFile: folder + "/routes.yaml", atomically: true, encoding: .utf8)
            let made = try await Waymark.run(["token", "create", "--role", "publisher", "--create"], in: folder)
            #expect(made.code == 0, "\(made.errors)")
            try await body { arguments in
                let catalog = arguments.first == "short-links" ? ["--catalog", "routes.yaml"] : []
                return try await Waymark.run(arguments + catalog, in: folder)
            }
        }
    }

    private func expect(_ outcome: Waymark.Outcome) -> String {
        #expect(outcome.code == 0, "\(outcome.errors)")
        return outcome.output
    }

    @Test func `a backup has links, tombstones and erased codes, and restoring it brings them back`() async throws {
        try await withDatabase { run in
            let links: [(String, [String])] = [("kept", []), ("gone", []), ("personal", ["--about", "ada"])]
            for (code, options) in links {
                _ = expect(
                    try await run(["short-links", "make", "https://shop.example/p/1", "--code", code] + options)
                )
            }
            _ = expect(try await run(["short-links", "withdraw", "gone"]))
            _ = expect(try await run(["user", "delete", "ada", "--erase-history"]))
            _ = expect(try await run(["backup", "copy.sqlite"]))
            let before = expect(try await run(["short-links", "list"]))
            _ = expect(try await run(["short-links", "make", "https://shop.example/p/2", "--code", "later"]))
            _ = expect(try await run(["short-links", "withdraw", "kept"]))
            _ = expect(try await run(["restore", "copy.sqlite", "--tokens", "keep"]))
            #expect(expect(try await run(["short-links", "list"])) == before)
            #expect(before.contains("https://go.example/kept  working"))
            #expect(try await run(["short-links", "show", "later"]).code == 1)
            for code in ["gone", "personal", "PERSONAL"] {
                let again = try await run(["short-links", "make", "https://shop.example/p/3", "--code", code])
                #expect(again.code == 1, "\(code): \(again.output)")
            }
            #expect(try await run(["short-links", "make", "https://shop.example/p/2", "--code", "later"]).code == 0)
        }
    }

    @Test func `the links about a person are listed for them, and erased with them alone`() async throws {
        try await withDatabase { run in
            for (code, about) in [("one", "ada"), ("two", "ada"), ("three", "ben")] {
                _ = expect(
                    try await run(
                        ["short-links", "make", "https://shop.example/p/7", "--code", code, "--about", about]
                    )
                )
            }
            let arguments = ["short-links", "list", "--about", "ada", "--format", "json"]
            let listed = expect(try await run(arguments))
            #expect(listed.contains("/one\"") && listed.contains("/two\"") && !listed.contains("/three\""), "\(listed)")
            #expect(listed.contains("\"about\":\"ada\""), "\(listed)")
            let exported = expect(try await run(["short-links", "export"]))
            #expect(exported.split(separator: "\n").count { $0.contains("\"about\":\"ada\"") } == 2, "\(exported)")
            // The user has no level and no history: links alone.
            #expect(try await run(["user", "delete", "ada", "--erase-history"]).code == 0)
            #expect(try await run(["user", "delete", "ada", "--erase-history"]).code == 1)
            let rest = expect(try await run(["short-links", "export"]))
            #expect(rest.split(separator: "\n").count == 1 && rest.contains("three") && !rest.contains("ada"))
            #expect(try await run(["short-links", "show", "one"]).code == 1)
        }
    }
}
