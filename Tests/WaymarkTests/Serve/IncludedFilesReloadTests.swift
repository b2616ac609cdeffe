import Foundation
import Testing
import WaymarkTestSupport

/// Changes the files of a running server's catalog.
@Suite struct IncludedFilesReloadTests {
    private static let own = """
        version: 1
        include: [teams/*.yaml]
        origins: [{ scheme: nav, hosts: [app] }]
        entry: { home: { presentation: root, initial: true } }
        routes: { home: { path: "", opens: { one: push, other: push } } }

        """

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// Writes the files of two teams, whose routes have paths that end with a word.
    private func writeTeams(_ word: String, in folder: String) throws {
        try write("routes: { one: { path: one-\(word), opens: { two: push } } }\n", to: folder + "/teams/a.yaml")
        try write("routes: { other: { path: other-\(word) }, two: {} }\n", to: folder + "/teams/b.yaml")
    }

    private func withServer(
        in folder: String,
        _ body: (ServerProcess) async throws -> Void
    ) async throws {
        let server = try await ServerProcess.start(
            database: folder + "/states.sqlite",
            catalog: folder + "/routes.yaml"
        )
        try await body(server)
        server.terminate()
        #expect(try await server.exitCode() == 0)
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder + "/teams", withIntermediateDirectories: false)
            try write(Self.own, to: folder + "/routes.yaml")
            try writeTeams("first", in: folder)
            try await body(folder)
        }
    }

    private func status(_ path: String, _ server: ServerProcess) async throws -> Int {
        try await server.request("GET", "/v1/resolve?link=nav%3A%2F%2Fapp%2F\(path)").status
    }

    @Test func `files that are replaced one by one are taken together`() async throws {
        try await withFolder { folder in
            try await withServer(in: folder) { server in
                // The first of two files takes a route away that the second gives back.
                try write(
                    "routes: { one: { path: one-second, opens: { three: push } } }\n",
                    to: folder + "/teams/a.yaml"
                )
                try write("routes: { other: { path: other-second }, three: {} }\n", to: folder + "/teams/b.yaml")
                try await wait(for: "the reload") { try await status("one-second", server) == 200 }
                #expect(try await status("other-second", server) == 200)
                #expect(try await status("one-first", server) == 404)
                #expect(!server.logged.contains("is refused"))
                let catalog = try await server.request("GET", "/v1/catalog").text
                #expect(catalog.contains(#""location":{"file":"teams/b.yaml","line":1,"column":42}"#), "\(catalog)")
            }
        }
    }

    @Test func `a fault in one file refuses the whole, and a start has the files that were in force`() async throws {
        try await withFolder { folder in
            try await withServer(in: folder) { server in
                try write(
                    "routes: { one: { path: one-second, opens: { gone: push } } }\n",
                    to: folder + "/teams/a.yaml"
                )
                try await wait(for: "the refusal") {
                    try await server.request("GET", "/readyz").text.contains("catalogRefusal")
                }
                #expect(server.logged.contains("teams/a.yaml:1:45"))
                #expect(try await status("one-first", server) == 200)
            }
            try await withServer(in: folder) { server in
                #expect(try await server.request("GET", "/readyz").text.contains("catalogRefusal"))
                #expect(try await status("one-first", server) == 200)
                try writeTeams("third", in: folder)
                try await wait(for: "the mending") { try await status("other-third", server) == 200 }
            }
        }
    }

    @Test func `a file that a new pattern matches is read, and watched`() async throws {
        try await withFolder { folder in
            try await withServer(in: folder) { server in
                try FileManager.default.createDirectory(atPath: folder + "/more", withIntermediateDirectories: false)
                try write("routes: { extra: { path: extra-first } }\n", to: folder + "/more/c.yaml")
                try write(
                    Self.own.replacing("teams/*.yaml]", with: "teams/*.yaml, more/*]")
                        .replacing("other: push", with: "other: push, extra: push"),
                    to: folder + "/routes.yaml"
                )
                try await wait(for: "the reload") { try await status("extra-first", server) == 200 }
                try write("routes: { extra: { path: extra-second } }\n", to: folder + "/more/c.yaml")
                try await wait(for: "the second reload") { try await status("extra-second", server) == 200 }
            }
        }
    }
}
