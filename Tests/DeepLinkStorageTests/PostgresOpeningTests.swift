import DeepLinkStorage
import Foundation
import Testing
import WaymarkTestSupport

@testable import DeepLinkPostgres

/// Tests of the opening of a PostgreSQL database where not every server answers.
@Suite(PostgresFixture.isThere) struct PostgresOpeningTests {
    /// Runs a body with the folder of a socket on which nobody ever answers, as an address of a machine without power.
    private func withSilentServer(_ body: (String) async throws -> Void) async throws {
        try await withListeningSocket { folder, _ in try await body(folder) }
    }

    /// Runs a body with the folder of a socket that listens, and its descriptor.
    private func withListeningSocket(_ body: (String, Int32) async throws -> Void) async throws {
        // The path of a socket has 107 bytes at most (unix(7)).
        let folder = "/tmp/waymark-\(UInt64.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(folder)/.s.PGSQL.5432".utf8) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound)
        try #require(listen(descriptor, 8) == 0)
        try await body(folder, descriptor)
    }

    @Test(arguments: [PostgresStore.Use.serving, .offline(creating: true)])
    func `where the first of two servers is silent, the second opens`(use: PostgresStore.Use) async throws {
        try await withSilentServer { silent in
            try await PostgresFixture.with { fixture in
                let (before, after) = try #require(fixture.uri.split(at: "host="))
                let store = try await PostgresFixture(uri: "\(before)host=\(silent),\(after)").open(use)
                defer { store.close() }
                #expect(!store.serverVersion.isEmpty)
            }
        }
    }

    @Test func `a role or database that writes bytes in the format escape is read`() async throws {
        try await PostgresFixture.with { fixture in
            try await fixture.open().close()
            let escaping = PostgresFixture(uri: fixture.uri + "%20-cbytea_output%3Descape")
            let (former, store) = (try await fixture.open(), try await escaping.open())
            defer { for store in [former, store] { store.close() } }
            #expect(store.secrets.erasureKey == former.secrets.erasureKey)
            #expect(try await store.continuationKeys() == former.continuationKeys())
            let all = Array(UInt8.min ... .max) + Array("\\\\x41\\101".utf8)
            for value in [all, [], Array("\\x".utf8)] {
                let read = try await PostgresFixture.with(escaping.uri) { connection throws(PostgresError) in
                    try connection.run("SELECT $1::bytea", .bytes(value))[0].bytes(0)
                }
                #expect(read == value)
            }
        }
    }

    @Test func `a change that finds no connection fails with the server's words`() async throws {
        try await PostgresFixture.with { fixture in
            let role = "limited_" + String(UInt64.random(in: .min ... .max), radix: 36)
            let schema = try #require(fixture.uri.split(at: "search_path%3D")).1
            try await fixture.run("CREATE ROLE \(role) LOGIN", "ALTER SCHEMA \(schema) OWNER TO \(role)")
            let server = try #require(fixture.uri.split(at: "://"))
            let rest = server.1.drop { $0 != "@" }
            let limited = PostgresFixture(uri: "postgres://\(role)\(rest)")
            var timeouts = PostgresFixture.patient
            timeouts.write = .milliseconds(700)
            let store = try await limited.open(timeouts: timeouts)
            try await fixture.run("ALTER ROLE \(role) CONNECTION LIMIT 1")
            await #expect { _ = try await store.make(.save([])) } throws: { error in
                "\(error)".contains("too many connections for role \"\(role)\"")
            }
            store.close()
            try await fixture.run("DROP OWNED BY \(role)", "CREATE SCHEMA \(schema)", "DROP ROLE \(role)")
        }
    }

    @Test func `the time for opening is the longest that a silent server is awaited`() async throws {
        try await withSilentServer { silent in
            var timeouts = PostgresStore.Timeouts()
            timeouts.opening = .milliseconds(300)
            let fixture = PostgresFixture(uri: "postgres://waymark@/waymark?host=\(silent)")
            await #expect { try await fixture.open(timeouts: timeouts) } throws: { error in
                if case PostgresError.late = error { true } else { false }
            }
        }
    }
}

extension String {
    /// Returns what stands before and after a text, or `nil` without it.
    fileprivate func split(at separator: String) -> (Substring, Substring)? {
        guard let place = range(of: separator) else { return nil }
        return (self[..<place.lowerBound], self[place.upperBound...])
    }
}
