import Foundation
import GRDB
import Glibc
import Testing
import WaymarkTestSupport

/// Tests of what a server tells its operator: a refused catalog, an upgrade, probes, hosts of the console.
@Suite struct OperatorTests {
    private static let catalog =
        "version: 1\norigins: [{ scheme: nav }]\nentry: { place: root }\nroutes: { place: {} }\n"

    private func wait(_ what: String, _ isSo: () async throws -> Bool) async throws {
        for _ in 0..<600 {
            if try await isSo() { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("\(what) did not happen")
    }

    @Test func `a metric says whether a catalog is refused, as long as it is`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/routes.yaml"
            try Self.catalog.write(toFile: path, atomically: true, encoding: .utf8)
            let server = try await ServerProcess.start(database: folder + "/states.sqlite", catalog: path)
            func refused() async throws -> String? {
                try await server.request("GET", "/metrics").text.split(separator: "\n")
                    .first { $0.hasPrefix("waymark_catalog_refused ") }.map { String($0.dropFirst(24)) }
            }
            #expect(try await refused() == "0")
            try (Self.catalog + "fault: 1\n").write(toFile: path, atomically: true, encoding: .utf8)
            try await wait("the refusal") { try await refused() == "1" }
            server.signal(SIGHUP)
            #expect(try await refused() == "1")
            // The former file is in force already, and again the newest.
            try Self.catalog.write(toFile: path, atomically: true, encoding: .utf8)
            try await wait("the mending") { try await refused() == "0" }
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test(arguments: [("true", 4), ("false", 0)])
    func `probes are left out of the log where that is wanted, and failed ones are not`(
        _ value: String,
        _ count: Int
    ) async throws {
        try await TemporaryFolder.with { folder in
            let options = ["--log-requests", "true", "--log-format", "json", "--log-probes", value]
            let server = try await ServerProcess.start(database: folder + "/states.sqlite", options: options)
            for target in ["/healthz", "/readyz", "/readyz", "/healthz", "/v1/nothing", "/openapi.json"] {
                _ = try await server.request("GET", target)
            }
            _ = try await server.request("POST", "/healthz", body: "{}")
            server.terminate()
            #expect(try await server.exitCode() == 0)
            try await wait("the end of the log") { server.logged.contains("Stopped") }
            let lines = server.logged.split(separator: "\n").filter { $0.contains(#""message":"request""#) }
            let probes = lines.filter { $0.contains("healthz") || $0.contains("readyz") }
            #expect(probes.filter { $0.contains(#""status":200"#) }.count == count, "\(probes)")
            #expect(lines.count == count + 3, "\(lines)")
        }
    }

    /// Makes a file as the version of three schema steps made it.
    private func makeOldFile(_ path: String) async throws {
        let outcome = try await Waymark.run(["user", "set", "ada", "premiumUser", "--create", "--database", path])
        #expect(outcome.code == 0)
        let queue = try DatabaseQueue(path: path)
        try await queue.write { database in
            // The tables of the later steps.
            for table in ["kept_answer", "erased_user", "erasure_key", "stored_number"] {
                try database.execute(sql: "DROP TABLE \(table)")
            }
            for trigger in ["user_state_by_hand", "user_state_deleted_by_hand"] {
                try database.execute(sql: "DROP TRIGGER \(trigger)")
            }
            try database.execute(sql: "DROP INDEX continuation_by_user")
            for (table, columns) in [
                ("user_state", ["as_of", "checksum"]), ("continuation", ["checksum"]), ("service_token", ["checksum"]),
                ("user_history", ["as_of", "checksum", "level_after", "valid_until"]),
            ] {
                for column in columns { try database.execute(sql: "ALTER TABLE \(table) DROP COLUMN \(column)") }
            }
            try database.execute(
                sql: "DELETE FROM grdb_migrations WHERE identifier > '3'  AND identifier NOT LIKE '3%'"
            )
        }
        try queue.close()
    }

    @Test func `an upgrade of a file is told by the log and by commands, once`() async throws {
        try await TemporaryFolder.with { folder in
            let (file, other) = (folder + "/states.sqlite", folder + "/other.sqlite")
            for path in [file, other] { try await makeOldFile(path) }
            let get = ["user", "get", "ada", "--database", other]
            let first = try await Waymark.run(get)
            #expect(first.code == 0 && first.output.contains("premiumUser"), "\(first.errors)")
            #expect(first.errors.contains("was upgraded from schema step 3 to 6 in "), "\(first.errors)")
            #expect(try await !Waymark.run(get).errors.contains("upgraded"))
            for isFirst in [true, false] {
                let server = try await ServerProcess.start(database: file, options: ["--log-format", "logfmt"])
                #expect(try await server.request("GET", "/v1/users/ada").text.contains("premiumUser"))
                server.terminate()
                #expect(try await server.exitCode() == 0)
                let lines = server.logged.split(separator: "\n").filter { $0.contains("upgraded") }
                #expect(lines.count == (isFirst ? 2 : 0), "\(server.logged)")
                guard isFirst, lines.count == 2 else { continue }
                #expect(
                    lines.allSatisfy {
                        $0.contains("level=notice") && $0.contains("fromStep=3 toStep=6") == $0.contains("being")
                    }
                )
                #expect(lines[1].contains("fromStep=3 seconds=") && lines[1].contains(" toStep=6"))
            }
        }
    }

    @Test func `a host of the console that the catalog does not have is warned of`() async throws {
        try await TemporaryFolder.with { folder in
            let server = try await ServerProcess.start(
                database: folder + "/states.sqlite",
                catalog: Checkout.path("Config/examples/link-domain.yaml"),
                options: ["--console-hosts", "other.example, links.example.com", "--log-format", "logfmt"]
            )
            let warnings = server.logged.split(separator: "\n").filter { $0.contains("console.hosts") }
            #expect(warnings.count == 1 && warnings.first?.contains("host=other.example") == true, "\(warnings)")
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }
}
