import DeepLinkCore
import Foundation
import Logging
import NIOCore
import ServerTestSupport
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Tests of connections over TLS, with the clients of other projects.
@Suite struct TLSServerTests {
    /// A server over TLS, and what its clients need.
    private struct Server {
        let port: Int
        let certificate: LiveCertificate
        let authority: TestAuthority
        let folder: String
        let load: ServerLoad

        /// Runs curl, which trusts the authority and knows the host.
        func curl(_ arguments: [String], path: String = "/healthz") async throws -> TestProgram.Outcome {
            try await TestProgram.run(
                [
                    "curl", "-sS", "--max-time", "60", "--cacert", authority.root, "--connect-to",
                    "links.example.com:443:127.0.0.1:\(port)",
                ] + arguments + ["https://links.example.com" + path]
            )
        }

        /// Runs the client of openssl, which makes a handshake and ends.
        func handshake(_ arguments: [String]) async throws -> TestProgram.Outcome {
            try await TestProgram.run(
                [
                    "openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-servername", "links.example.com",
                    "-CAfile", authority.root, "-verify_return_error",
                ] + arguments
            )
        }
    }

    private static func certificate(_ pair: TestAuthority.Pair) throws -> ServerCertificate {
        func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
        let now = Int64(Date.now.timeIntervalSince1970)
        return try ServerCertificate(chain: try bytes(pair.chain), key: try bytes(pair.key), at: now)
    }

    private func withTLS(
        limits: ConnectionLimits = TestServer.patient,
        _ body: (Server) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let authority = try await TestAuthority(in: folder)
            let certificate = LiveCertificate(try Self.certificate(try await authority.issue("leaf")))
            let service = try TestServer.service(.linkDomain)
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            try await withServer(
                { [logger] onListening in
                    ApplicationServer(
                        service.connections,
                        host: "127.0.0.1",
                        port: 0,
                        certificate: certificate,
                        maximumConnections: 100,
                        limits: limits,
                        logger: logger
                    ) { port in onListening(port) }
                },
                { port in
                    try await body(
                        Server(
                            port: port,
                            certificate: certificate,
                            authority: authority,
                            folder: folder,
                            load: service.load
                        )
                    )
                }
            )
            for _ in 0..<6_000 where service.load.openConnectionCount > 0 {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(service.load.openConnectionCount == 0)
        }
    }

    @Test func `curl fetches both association files with the chain of an authority of its own`() async throws {
        try await withTLS { server in
            for name in ["apple-app-site-association", "assetlinks.json"] {
                let outcome = try await server.curl(
                    ["-w", " %{http_code} %{http_version} %{num_redirects}"],
                    path: "/.well-known/" + name
                )
                #expect(outcome.code == 0, "\(outcome.output)")
                #expect(outcome.output.hasSuffix(" 200 1.1 0"), "\(outcome.output)")
                #expect(outcome.output.contains("com.example.shop"))
            }
            // Without the authority, nobody vouches for it (curl: 60).
            let stranger = try await TestProgram.run([
                "curl", "-sS", "--connect-to", "links.example.com:443:127.0.0.1:\(server.port)",
                "https://links.example.com/healthz",
            ])
            #expect(stranger.code == 60, "\(stranger.output)")
        }
    }

    @Test func `a handshake chooses HTTP 1.1, the newest version, and resumes a session`() async throws {
        try await withTLS { server in
            let newest = try await server.handshake(["-alpn", "h2,http/1.1"])
            #expect(newest.output.contains("ALPN protocol: http/1.1"), "\(newest.output)")
            #expect(newest.output.contains("TLSv1.3"))
            #expect(newest.output.contains("Verify return code: 0 (ok)"))
            let session = server.folder + "/session"
            let first = try await server.handshake(["-tls1_2", "-sess_out", session])
            #expect(first.output.contains("New, TLSv1.2, Cipher is ECDHE-ECDSA-AES"), "\(first.output)")
            let second = try await server.handshake(["-tls1_2", "-sess_in", session])
            #expect(second.output.contains("Reused, TLSv1.2"), "\(second.output)")
        }
    }

    @Test(arguments: [["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA"]])
    func `old versions and suites without authenticated encryption are refused`(_ arguments: [String]) async throws {
        try await withTLS { server in
            let outcome = try await server.handshake(arguments)
            #expect(outcome.code != 0)
            #expect(try await server.curl([]).code == 0)
        }
    }

    @Test func `large answers and bodies arrive whole, one after the other on one connection`() async throws {
        try await withTLS { server in
            let document = try await server.curl([], path: "/openapi.json")
            #expect(document.output.utf8.count > 100_000)
            #expect(document.output.hasPrefix("{"))
            #expect(document.output.hasSuffix("}") || document.output.hasSuffix("}\n"))
            let twice = try await server.curl(
                ["-w", "%{num_connects}", "https://links.example.com/healthz"],
                path: "/openapi.json"
            )
            #expect(twice.output.hasSuffix("0"), "The second request takes the connection of the first.")
            let lines = (0..<2000).map { #"{"link":"https://links.example.com/p/\#($0)"}"# }.joined(separator: "\n")
            let path = server.folder + "/lines"
            try Data(lines.utf8).write(to: URL(fileURLWithPath: path))
            let answers = try await server.curl(
                [
                    "-H", "Authorization: Bearer \(TestToken.admin.text)", "-H", "Content-Type: application/x-ndjson",
                    "--data-binary", "@" + path,
                ],
                path: "/v1/resolve/batch"
            )
            #expect(answers.output.split(separator: "\n").count == 2000, "\(answers.output.prefix(500))")
        }
    }

    @Test func `a certificate that is replaced under traffic fails no request`() async throws {
        try await withTLS { server in
            let pairs = [try await server.authority.issue("one"), try await server.authority.issue("two")]
            let certificates = try pairs.map(Self.certificate)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        var count = 0
                        for _ in 0..<15 {
                            let outcome = try await server.curl(["-w", " %{http_code}"])
                            #expect(outcome.code == 0, "\(outcome.output)")
                            #expect(outcome.output.hasSuffix(" 200"), "\(outcome.output)")
                            count += 1
                        }
                        return count
                    }
                }
                for index in 0..<30 {
                    server.certificate.replace(with: certificates[index % 2])
                    try await Task.sleep(for: .milliseconds(20))
                }
                var count = 0
                for try await part in group { count += part }
                #expect(count == 45)
            }
            #expect(server.certificate.current.isSame(as: certificates[1]))
            let shown = try await server.handshake(["-showcerts"])
            let expected = try String(contentsOfFile: pairs[1].certificate, encoding: .utf8)
            let body = try #require(expected.split(separator: "\n").dropFirst().first)
            #expect(shown.output.contains(body))
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a slow handshake is closed in the time of a request, however it drips`() async throws {
        var limits = TestServer.patient
        limits.request = .milliseconds(500)
        try await withTLS(limits: limits) { server in
            // A record of a handshake with 512 bytes, of which one arrives at a time.
            let beginning: [UInt8] = [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03]
            let connections = [try RawConnection(port: server.port), try RawConnection(port: server.port)]
            try connections[1].send(beginning)
            try await RawConnection.offPool {
                for (index, connection) in connections.enumerated() {
                    var isClosed = false
                    while !isClosed {
                        if try connection.hasInput(within: 0.05) {
                            isClosed = try connection.receiveSome().isEmpty
                        } else if index == 1 {
                            try connection.send([0])
                        }
                    }
                }
            }
        }
    }

    @Test func `a handshake counts as a connection, and hinders no end`() async throws {
        let open = Mutex<RawConnection?>(nil)
        try await withTLS { server in
            let connection = try RawConnection(port: server.port)
            open.withLock { $0 = connection }
            try connection.send([0x16, 0x03, 0x01])
            while server.load.openConnectionCount == 0 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(server.load.openConnectionCount == 1)
            let plain = try RawConnection(port: server.port)
            let answer = try await plain.exchangeUntilClose(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
            #expect(!answer.contains("HTTP/1.1"))
            #expect(try await server.curl([]).code == 0)
        }
        // The server has ended, and its client has not.
        #expect(open.withLock { $0 != nil })
    }
}
