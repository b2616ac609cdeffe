import Foundation
import Glibc
import Testing
import WaymarkTestSupport

/// Changes the catalog of a running server.
@Suite struct ReloadTests {
    private func catalog(_ route: String) -> String {
        """
        version: 1
        origins: [{ scheme: nav, hosts: [\(route)] }]
        entry: { \(route): root }
        routes: { \(route): { path: here } }
        """
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    private func version(_ server: ServerProcess) async throws -> String? {
        try CanonicalJSON.member("catalogVersion", of: try await server.request("GET", "/readyz").body)
    }

    private func withServer(_ body: (ServerProcess, String) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/routes.yaml"
            try write(catalog("first"), to: path)
            let server = try await ServerProcess.start(database: folder + "/states.sqlite", catalog: path)
            try await body(server, path)
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test func `a changed file is taken by itself`() async throws {
        try await withServer { server, path in
            let former = try await version(server)
            try write(catalog("second"), to: path)
            try await wait(for: "the reload") { try await version(server) != former }
            #expect(try await server.request("GET", "/v1/resolve?link=nav%3A%2Fhere").text.contains("\"second\""))
            #expect(server.logged.contains("A new catalog is in force."))
        }
    }

    @Test func `a broken catalog is refused, and readiness says so until it is mended`() async throws {
        try await withServer { server, path in
            let former = try await version(server)
            try write(catalog("second") + "\nbroken: true", to: path)
            server.signal(SIGHUP)
            try await wait(for: "the refusal") {
                try await server.request("GET", "/readyz").text.contains(#""catalogRefusal":"the catalog has 1 issue"#)
            }
            let ready = try await server.request("GET", "/readyz")
            #expect(ready.status == 200)
            #expect(try await version(server) == former)
            #expect(try await server.request("GET", "/v1/resolve?link=nav%3A%2Fhere").text.contains("\"first\""))
            #expect(server.logged.contains("is refused"))
            #expect(server.logged.contains("routes.yaml:5:1"))
            try FileManager.default.removeItem(atPath: path)
            server.signal(SIGHUP)
            try await wait(for: "the second refusal") {
                try await server.request("GET", "/readyz").text.contains("the catalog cannot be read")
            }
            try write(catalog("second"), to: path)
            try await wait(for: "the mending") { try await version(server) != former }
            #expect(try await !server.request("GET", "/readyz").text.contains("catalogRefusal"))
        }
    }

    @Test(arguments: ["pipe", "device", "folder", "loop"])
    func `what is no file neither hangs the server nor fills its memory`(_ kind: String) async throws {
        try await withServer { server, path in
            try FileManager.default.removeItem(atPath: path)
            switch kind {
            case "pipe": #expect(mkfifo(path, 0o600) == 0)
            case "device": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
            case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            default: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
            }
            server.signal(SIGHUP)
            try await wait(for: "the refusal") {
                try await server.request("GET", "/readyz").text.contains("the catalog cannot be read")
            }
        }
    }

    // MARK: Files that are written in place

    /// A catalog whose end is all that closes a route.
    private static let vault = """
        version: 1
        origins: [{ scheme: app }]
        gates: { premiumUser: /login }
        entry: { login: root, help: root, vault: root }
        routes:
          login: {}
          help: {}
          vault:
            description: What everyone wants.
            authorizationLevel: premiumUser

        """

    private func overwrite(_ text: some StringProtocol, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func withVault(_ body: (ServerProcess, String) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/routes.yaml"
            try write(Self.vault, to: path)
            let server = try await ServerProcess.start(database: folder + "/states.sqlite", catalog: path)
            try await body(server, path)
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    private func isOpen(_ server: ServerProcess) async throws -> Bool {
        let status = try await server.request("GET", "/v1/resolve?link=app%3A%2F%2F%2Fvault").status
        #expect(status == 200 || status == 403)
        return status == 200
    }

    @Test func `what is written in place and opens nothing is taken once it is left alone`() async throws {
        try await withVault { server, path in
            let former = try await version(server)
            try overwrite(Self.vault + "    # A comment.\n", path)
            try await wait(for: "the reload") { try await version(server) != former }
            #expect(try await !isOpen(server))
        }
    }

    @Test func `what is written in place and opens a route waits for SIGHUP, and is logged`() async throws {
        try await withVault { server, path in
            server.signal(SIGHUP)
            try await wait(for: "the first signal") { server.logged.contains("The catalog is unchanged.") }
            try overwrite(Self.vault.split(separator: "\n").dropLast().joined(separator: "\n") + "\n", path)
            try await wait(for: "the refusal") {
                try await server.request("GET", "/readyz").text.contains("waits for SIGHUP")
            }
            #expect(try await !server.request("GET", "/readyz").text.contains("routes.yaml"))
            #expect(try await !isOpen(server))
            server.signal(SIGHUP)
            try await wait(for: "the reload") { try await isOpen(server) }
            let sentence = "The route `vault` is opened: its level falls from premiumUser to none."
            #expect(server.logged.contains(sentence), "\(server.logged)")
        }
    }

    @Test func `what is replaced by rename is taken at once, and what it opens is logged`() async throws {
        try await withVault { server, path in
            try write(Self.vault.replacing("premiumUser\n\n", with: "premiumUser\n"), to: path)
            try write(Self.vault.replacing("    authorizationLevel: premiumUser\n", with: ""), to: path)
            try await wait(for: "the reload") { try await isOpen(server) }
            #expect(server.logged.contains("warning"))
            #expect(server.logged.contains("The route `vault` is opened"))
        }
    }

    @Test func `no cut at twenty bytes opens anything in a running server`() async throws {
        let bytes = Array(Self.vault.utf8)
        let lines = bytes.indices.filter { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "\n") }
        let others = (1...20 - lines.count).map { bytes.count * $0 / 12 + 3 }.map { min($0, bytes.count - 1) }
        let places = (lines + others).sorted()
        #expect(places.count == 20)
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Each cut takes seconds of waiting, and none of work.
            for part in 0..<5 {
                group.addTask {
                    try await withVault { server, path in
                        for place in places.indices.filter({ $0 % 5 == part }).map({ places[$0] }) {
                            try overwrite(String(decoding: bytes[..<place], as: UTF8.self), path)
                            try await wait(for: "the refusal of the cut at byte \(place)") {
                                #expect(try await !isOpen(server), "cut at byte \(place)")
                                return try await server.request("GET", "/readyz").text.contains("catalogRefusal")
                            }
                            try write(Self.vault, to: path)
                            try await wait(for: "the mending") {
                                try await !server.request("GET", "/readyz").text.contains("catalogRefusal")
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: Load

    @Test func `under load no request fails, or sees half of each catalog`() async throws {
        try await withServer { server, path in
            let port = server.port
            let answers = try await withThrowingTaskGroup(of: Set<String>.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        // On a thread of its own: the server ends connections that are silent.
                        try await RawConnection.offPool {
                            let connection = try RawConnection(port: port)
                            let get = "GET /v1/resolve?link=nav%3A%2Fhere HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            var answers: Set<String> = []
                            for _ in 0..<1_000 {
                                try connection.send(Array(get.utf8))
                                let response = try connection.receive()
                                answers.insert("\(response.status) \(response.text)")
                            }
                            return answers
                        }
                    }
                }
                group.addTask {
                    for round in 0..<40 {
                        try write(catalog(round.isMultiple(of: 2) ? "second" : "first"), to: path)
                        server.signal(SIGHUP)
                        try await Task.sleep(for: .milliseconds(20))
                    }
                    return []
                }
                var all: Set<String> = []
                for try await answers in group { all.formUnion(answers) }
                return all
            }
            // Two catalogs, and no mixture of them.
            #expect((1...2).contains(answers.count), "\(answers)")
            #expect(answers.allSatisfy { $0.hasPrefix("200 ") }, "\(answers)")
        }
    }
}
