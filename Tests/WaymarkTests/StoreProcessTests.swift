import Foundation
import GRDB
import Synchronization
import Testing
import WaymarkTestSupport

/// Tests of what the real binary says of a database that it cannot use, or not wholly.
@Suite struct StoreProcessTests {
    /// The command that runs another one bound by file modes.
    ///
    /// Root ignores them by the capability CAP_DAC_OVERRIDE (capabilities(7)), which is taken from the process here,
    /// so that the test says the same in a container as for a user.
    private static let bound =
        geteuid() == 0
        ? [
            "/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search",
            "--inh-caps=-dac_override,-dac_read_search",
        ] : []

    private static let level = "{\"authorizationLevel\":\"premiumUser\"}"

    private func serve(_ database: String, through wrapper: [String] = []) async throws -> Waymark.Outcome {
        try await Waymark.run(["serve", "--port", "0", "--database", database], through: wrapper)
    }

    /// Fills a file with users, and closes it.
    private func create(_ database: String, count: Int = 1) async throws {
        let lines = (0..<count).map { "{\"id\":\"user-\($0)\",\"authorizationLevel\":\"premiumUser\"}\n" }.joined()
        let outcome = try await Waymark.run(["user", "import", "--create", "--database", database], input: lines)
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    /// Opens a file beside the server, to keep a transaction open.
    private func lockable(_ database: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: database, configuration: configuration)
    }

    private func post(_ server: ServerProcess, _ user: String) async throws -> Int {
        try await server.request("POST", "/v1/users/\(user)", body: Self.level).status
    }

    @Test func `a second server on a file says who has it, and kill -9 frees it`() async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            let first = try await ServerProcess.start(database: database)
            let second = try await serve(database)
            #expect(second.code == 69)
            #expect(second.errors.contains("(process \(first.id)) serves the database \(database)"))
            #expect(second.errors.contains("--database"))
            // Commands are no servers.
            let set = try await Waymark.run(["user", "set", "ada", "premiumUser", "--create", "--database", database])
            #expect(set.code == 0)
            #expect(try await post(first, "bob") == 201)
            try await first.kill()
            let third = try await ServerProcess.start(database: database)
            #expect(third.logged.contains("is checked and in order"))
            #expect(try await third.request("GET", "/v1/users/bob").status == 200)
            #expect(try await post(third, "bob") == 200)
            third.terminate()
            #expect(try await third.exitCode() == 0)
            let fourth = try await ServerProcess.start(database: database)
            #expect(!fourth.logged.contains("check"))
            try await fourth.kill()
        }
    }

    @Test func `writes of a server have their turns while a command imports`() async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            let server = try await ServerProcess.start(database: database)
            // Many more than are all or none, so that there are slices, and the server has the time to write on a machine
            // that does other things.
            let count = 20_000
            let isOver = Mutex(false)
            let hasBegun = Mutex(false)
            let writer = Task {
                var statuses: [Int] = []
                while !isOver.withLock(\.self) {
                    statuses.append(try await post(server, "probe-\(statuses.count)"))
                    hasBegun.withLock { $0 = true }
                }
                return statuses
            }
            while !hasBegun.withLock(\.self) { try await Task.sleep(for: .milliseconds(5)) }
            try await create(database, count: count)
            isOver.withLock { $0 = true }
            let statuses = try await writer.value
            // On a loaded machine a slice may take longer than a write waits: that one is refused, and another goes on.
            #expect(statuses.allSatisfy { $0 == 201 || $0 == 503 }, "\(Set(statuses))")
            #expect(statuses.contains(201))
            // Each slice lets some in; one transaction would let in those before and after it.
            let queue = try lockable(database)
            let (slices, turns) = try await queue.read { database in
                let authors = try String.fetchAll(database, sql: "SELECT author FROM user_history ORDER BY sequence")
                return (count / 2000, zip(authors, authors.dropFirst()).count { $0 != $1 })
            }
            try queue.close()
            #expect(turns > 2, "\(turns) turns, \(statuses.count) writes, \(slices) slices")
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test(arguments: [(0o444, 0o755), (0o644, 0o555)])
    func `a file or folder that is read-only is named, with what to do`(file: Int, folderMode: Int) async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            try await create(database)
            try FileManager.default.setAttributes([.posixPermissions: file], ofItemAtPath: database)
            try FileManager.default.setAttributes([.posixPermissions: folderMode], ofItemAtPath: folder)
            let outcome = try await serve(database, through: Self.bound)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
            #expect(outcome.code == 69)
            #expect(outcome.errors.contains("The database \(database) cannot be written: it belongs to "))
            #expect(outcome.errors.contains("with the mode 0\(String(file, radix: 8)), "))
            #expect(outcome.errors.contains("Give this user the right"))
        }
    }

    @Test func `a corrupt file is named, with what to do`() async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            try Data(String(repeating: "no database\n", count: 1000).utf8).write(to: URL(fileURLWithPath: database))
            for outcome in [
                try await serve(database), try await Waymark.run(["user", "get", "ada", "--database", database]),
            ] {
                #expect(outcome.code == 65)
                #expect(outcome.errors.contains("The database \(database) is damaged or isn't a SQLite file"))
                #expect(outcome.errors.contains("Restore it from a backup"))
            }
        }
    }

    @Test func `a page that is damaged keeps changes out, and is reported`() async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            try await create(database, count: 1000)
            try await ServerProcess.start(database: database).kill()
            // A page is damaged while no server runs.
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: database))
            try file.seek(toOffset: try file.seekToEnd() / 4096 * 3 / 4 * 4096)
            try file.write(contentsOf: Data(repeating: 0xEE, count: 4096))
            try file.close()
            let server = try await ServerProcess.start(database: database)
            #expect(server.logged.contains("critical"))
            #expect(server.logged.contains("The database \(database) is damaged, so no change is accepted"))
            let refusal = try await server.request("POST", "/v1/users/bob", body: Self.level)
            #expect(refusal.status == 503)
            #expect(refusal.text.contains("user-state-unavailable"))
            #expect(try await server.request("GET", "/v1/users/user-0").status == 200)
            #expect(try await server.request("GET", "/readyz").status == 503)
            #expect(try await server.request("GET", "/healthz").status == 200)
            let set = try await Waymark.run(["user", "set", "ada", "none", "--create", "--database", database])
            #expect(set.code == 69)
            #expect(set.errors.contains("accepts no changes now"))
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test func `a file of a newer version is named, with what to do`() async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            try await create(database)
            let queue = try DatabaseQueue(path: database)
            try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999 from the future')") }
            try queue.close()
            let outcome = try await serve(database)
            #expect(outcome.code == 69)
            #expect(outcome.errors.contains("A newer version of waymark has written the database \(database)"))
        }
    }

    @Test func `a file that another process locks is named, with what to do`() async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            try await create(database)
            let queue = try lockable(database)
            try await queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM user_state")
            }
            let outcome = try await serve(database)
            #expect(outcome.code == 69)
            #expect(outcome.errors.contains("Another process keeps the database \(database) locked"))
            try queue.close()
        }
    }

    @Test func `while another process holds the lock of writing, writes wait and get 503, reads go on`() async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            let server = try await ServerProcess.start(database: database)
            #expect(try await post(server, "ada") == 201)
            let queue = try lockable(database)
            try await queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            async let refused = post(server, "ada")
            #expect(try await server.request("GET", "/v1/users/ada").status == 200)
            #expect(try await refused == 503)
            try await queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            #expect(try await post(server, "ada") == 200)
            try queue.close()
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test(.disabled(if: Effort.isSlowed, "a process with a sanitizer does not start where files may not grow"))
    func `after a write that the kernel refused, writes get 503 until a restart, and nothing is lost`() async throws {
        try await TemporaryFolder.with { folder in
            let database = folder + "/states.sqlite"
            try await create(database)
            // Beyond 400 KiB the kernel refuses to write a file (setrlimit(2)), which is no full disk.
            let limited = ["/bin/bash", "-c", "trap '' XFSZ; ulimit -f 400; exec \"$0\" \"$@\""]
            let server = try await ServerProcess.start(database: database, through: limited)
            var acknowledged: [String] = []
            var status = 201
            while status == 201, acknowledged.count < 1000 {
                let user = "later-\(acknowledged.count)"
                status = try await post(server, user)
                if status == 201 { acknowledged.append(user) }
            }
            #expect(status == 503)
            #expect(!acknowledged.isEmpty)
            #expect(try await post(server, "user-0") == 503)
            #expect(try await server.request("GET", "/v1/users/user-0").status == 200)
            #expect(try await server.request("GET", "/readyz").status == 503)
            server.terminate()
            #expect(try await server.exitCode() == 0)

            let again = try await ServerProcess.start(database: database)
            #expect(again.logged.contains("is checked and in order"))
            for user in acknowledged { #expect(try await again.request("GET", "/v1/users/\(user)").status == 200) }
            #expect(try await post(again, "user-0") == 200)
            again.terminate()
            #expect(try await again.exitCode() == 0)
        }
    }
}
