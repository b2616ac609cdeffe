import Foundation
import GRDB
import Glibc
import Testing
import WaymarkTestSupport

@testable import DeepLinkSQLite

/// Tests of what a server tells its operator: a refused catalog, an upgrade, probes, hosts of the console.
@Suite struct OperatorTests {
    private static let catalog =
        "version: 1\norigins: [{ scheme: nav }]\nentry: { place: root }\nroutes: { place: {} }\n"

    /// The number of the present schema step.
    private static var steps: Int { Schema.migrator.migrations.count }

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
            try await wait(for: "the refusal") { try await refused() == "1" }
            server.signal(SIGHUP)
            #expect(try await refused() == "1")
            // The former file is in force already, and again the newest.
            try Self.catalog.write(toFile: path, atomically: true, encoding: .utf8)
            try await wait(for: "the mending") { try await refused() == "0" }
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
            try await wait(for: "the end of the log") { server.logged.contains("Stopped") }
            let lines = server.logged.split(separator: "\n").filter { $0.contains(#""message":"request""#) }
            let probes = lines.filter { $0.contains("healthz") || $0.contains("readyz") }
            #expect(probes.filter { $0.contains(#""status":200"#) }.count == count, "\(probes)")
            #expect(lines.count == count + 3, "\(lines)")
        }
    }

    /// Makes a file as the version of three schema steps made it.
    private func makeOldFile(_ path: String) async throws {
        let queue = try DatabaseQueue(path: path)
        try await queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('1 user states'), ('2 continuations'), ('3 service tokens');
                    CREATE TABLE user_state (
                        id TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(id AS BLOB)) BETWEEN 1 AND 256),
                        level INTEGER NOT NULL CHECK (level BETWEEN 0 AND 3),
                        valid_until INTEGER,
                        level_after INTEGER CHECK (level_after BETWEEN 0 AND level),
                        version INTEGER NOT NULL CHECK (version >= 1),
                        updated_at INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE user_history (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        user_id TEXT NOT NULL,
                        version INTEGER NOT NULL CHECK (version >= 1),
                        level INTEGER CHECK (level BETWEEN 0 AND 3),
                        at INTEGER NOT NULL,
                        author TEXT NOT NULL,
                        UNIQUE (user_id, version)
                    ) STRICT;
                    CREATE TABLE continuation (
                        id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
                        user_id TEXT NOT NULL,
                        expires_at INTEGER NOT NULL,
                        is_spent INTEGER NOT NULL DEFAULT 0 CHECK (is_spent IN (0, 1))
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX continuation_by_expiry ON continuation (expires_at);
                    CREATE TABLE service_token (
                        id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 12),
                        digest BLOB NOT NULL CHECK (length(digest) = 32),
                        role TEXT NOT NULL CHECK (role IN ('resolver', 'admin')),
                        note TEXT NOT NULL,
                        created_at INTEGER NOT NULL,
                        expires_at INTEGER,
                        revoked_at INTEGER
                    ) STRICT, WITHOUT ROWID;
                    INSERT INTO user_state VALUES ('ada', 3, NULL, NULL, 1, 1);
                    INSERT INTO user_history (user_id, version, level, at, author) VALUES ('ada', 1, 3, 1, 'test');
                    """
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
            #expect(first.errors.contains("was upgraded from schema step 3 to \(Self.steps) in "), "\(first.errors)")
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
                        $0.contains("level=notice")
                            && $0.contains("fromStep=3 toStep=\(Self.steps)") == $0.contains("being")
                    }
                )
                #expect(lines[1].contains("fromStep=3 seconds=") && lines[1].contains(" toStep=\(Self.steps)"))
                #expect(lines[0].contains("--backup-before-upgrade keeps one"))
            }
        }
    }

    @Test func `a server keeps a copy before an upgrade, from which the version before goes on`() async throws {
        try await TemporaryFolder.with { folder in
            let file = folder + "/states.sqlite"
            try await makeOldFile(file)
            let server = try await ServerProcess.start(database: file, options: ["--backup-before-upgrade"])
            server.terminate()
            #expect(try await server.exitCode() == 0)
            let copy = file + ".before-step-4"
            #expect(server.logged.contains(copy), "\(server.logged)")
            let queue = try DatabaseQueue(path: copy)
            let steps = try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM grdb_migrations") }
            try queue.close()
            #expect(steps == 3)
            let restored = try await Waymark.run(["restore", copy, "--tokens", "keep", "--database", file])
            #expect(restored.code == 0 && restored.output.contains("1 user,"), "\(restored.errors)")
        }
    }

    @Test func `a command keeps a copy before an upgrade where the setting wants one, and names it`() async throws {
        try await TemporaryFolder.with { folder in
            let file = folder + "/states.sqlite"
            try await makeOldFile(file)
            let outcome = try await Waymark.run(
                ["user", "get", "ada", "--database", file],
                environment: ["WAYMARK_STORE_BACKUP_BEFORE_UPGRADE": "true"]
            )
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.errors.contains("its copy \(file).before-step-4"), "\(outcome.errors)")
            #expect(FileManager.default.fileExists(atPath: file + ".before-step-4"))
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
