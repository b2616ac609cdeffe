import Foundation
import Testing
import WaymarkTestSupport

/// Tests of a server that starts while its catalog has faults.
@Suite struct StoredCatalogTests {
    private static let catalog = """
        version: 1
        origins: [{ scheme: nav, hosts: [app] }]
        entry: { home: root }
        routes: { home: { path: here } }

        """

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// Runs a server on the catalog in a folder, and ends it.
    private func serve(
        _ folder: String,
        catalog: String = "routes.yaml",
        options: [String] = [],
        _ body: (ServerProcess) async throws -> Void = { _ in }
    ) async throws {
        let server = try await ServerProcess.start(
            database: folder + "/states.sqlite",
            catalog: "\(folder)/\(catalog)",
            options: options
        )
        try await body(server)
        server.terminate()
        #expect(try await server.exitCode() == 0)
    }

    /// Has a start refused, with the fault of the catalog.
    private func refuses(_ folder: String, catalog: String = "routes.yaml", options: [String] = []) async throws {
        let outcome = try await Waymark.run(
            ["serve", "--port", "0", "--database", folder + "/states.sqlite", "--catalog", "\(folder)/\(catalog)"]
                + options,
            through: Waymark.bounded
        )
        #expect(outcome.code == 65, "\(outcome.errors)")
        #expect(outcome.errors.contains("\(catalog):5:1"), "\(outcome.errors)")
    }

    @Test func `a catalog with faults is answered by the last good one, loudly, until it is mended`() async throws {
        try await TemporaryFolder.with { folder in
            let (file, audit) = (folder + "/routes.yaml", folder + "/audit.log")
            try write(Self.catalog + "broken: true\n", to: file)
            try await refuses(folder)
            try write(Self.catalog, to: file)
            try await serve(folder)
            let mode =
                try FileManager.default.attributesOfItem(atPath: folder + "/states.sqlite.catalog")[.posixPermissions]
            #expect(mode as? Int == 0o600)
            try write(Self.catalog + "broken: true\n", to: file)
            for _ in 0..<2 {
                try await serve(folder, options: ["--audit-path", audit]) { server in
                    let ready = try await server.request("GET", "/readyz")
                    #expect(ready.status == 200)
                    #expect(
                        ready.text.contains(#""catalogRefusal":"the catalog has 1 issue","degraded":["catalog"]"#),
                        "\(ready.text)"
                    )
                    #expect(try await server.request("GET", "/v1/resolve?link=nav%3A%2F%2Fapp%2Fhere").status == 200)
                    #expect(server.logged.contains("The catalog is refused; the last one that was in force serves"))
                    #expect(server.logged.contains("routes.yaml:5:1"))
                    let metrics = try await server.request("GET", "/metrics").text
                    #expect(metrics.contains("waymark_catalog_refused 1\n"))
                    #expect(metrics.contains("waymark_catalog_refusals_total 1\n"))
                }
            }
            let lines = try String(contentsOfFile: audit, encoding: .utf8).split(separator: "\n")
            #expect(lines.count { $0.contains(#""audit":"catalog.refuse""#) && $0.contains(#""id":"start""#) } == 2)
            try await serve(folder) { server in
                try write(Self.catalog.replacing("home", with: "harbor"), to: file)
                try await wait(for: "the mending") {
                    try await !server.request("GET", "/readyz").text.contains("catalogRefusal")
                }
                #expect(
                    try await server.request("GET", "/v1/resolve?link=nav%3A%2F%2Fapp%2Fhere").text.contains("harbor")
                )
            }
            // The one that a running server took is the last good one.
            try write(Self.catalog + "broken: true\n", to: file)
            try await serve(folder) { server in
                let answer = try await server.request("GET", "/v1/resolve?link=nav%3A%2F%2Fapp%2Fhere")
                #expect(answer.text.contains("harbor"))
            }
        }
    }

    @Test func `no other file's catalog is taken, and none where the settings say so`() async throws {
        try await TemporaryFolder.with { folder in
            try write(Self.catalog, to: folder + "/routes.yaml")
            try await serve(folder)
            for name in ["routes.yaml", "other.yaml"] {
                try write(Self.catalog + "broken: true\n", to: "\(folder)/\(name)")
            }
            try await refuses(folder, catalog: "other.yaml")
            try await refuses(folder, options: ["--strict-catalog"])
            // A kept file that somebody has changed is none.
            try write("# something else\n" + Self.catalog, to: folder + "/states.sqlite.catalog")
            try await refuses(folder)
        }
    }
}
