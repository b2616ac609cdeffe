import DeepLinkCore
import Foundation
import Glibc
import Logging
import Testing
import WaymarkTestSupport

@testable import WaymarkCommands
@testable import WaymarkServer

/// Tests of the program with a certificate of its own.
@Suite struct TLSTests {
    /// The catalog of a link domain, whose host the certificates name.
    private static let catalog = "Config/examples/link-domain.yaml"

    /// A running server over TLS, and what its clients need.
    private struct Scene {
        let server: ServerProcess
        let authority: TestAuthority
        let pair: TestAuthority.Pair
        let folder: String

        /// Runs curl, which trusts the authority and knows the host.
        func curl(_ path: String, host: String = "localhost") async throws -> TestProgram.Outcome {
            try await TestProgram.run([
                "curl", "-sS", "--max-time", "60", "--cacert", authority.root, "--connect-to",
                "\(host):443:127.0.0.1:\(server.port)", "-w", " %{http_code}",
                "https://\(host)" + path,
            ])
        }

        /// The value of a metric without labels.
        func metric(_ name: String) async throws -> Double? {
            try await curl("/metrics").output.split(separator: "\n").first { $0.hasPrefix(name + " ") }
                .flatMap { Double($0.dropFirst(name.utf8.count + 1)) }
        }

        /// Waits until the log of the server has a text.
        func wait(for text: String, count: Int = 1) async throws {
            for _ in 0..<3_600 {
                if server.logged.components(separatedBy: text).count > count { return }
                try await Task.sleep(for: .milliseconds(50))
            }
            Issue.record("\(text) is not logged: \(server.logged)")
        }

        /// Replaces the certificate and its key, as a renewal does.
        func replace(with new: TestAuthority.Pair) throws {
            for (from, to) in [(new.chain, pair.chain), (new.key, pair.key)] {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: from))
                let isMade = FileManager.default.createFile(
                    atPath: to + ".new",
                    contents: bytes,
                    attributes: [.posixPermissions: 0o600]
                )
                #expect(isMade)
                #expect(rename(to + ".new", to) == 0)
            }
        }
    }

    private func withServer(
        days: Int = 30,
        options: [String] = [],
        _ body: (Scene) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let authority = try await TestAuthority(in: folder)
            let pair = try await authority.issue("leaf", days: days)
            let server = try await ServerProcess.start(
                database: folder + "/states.sqlite",
                catalog: Self.catalog,
                options: ["--tls-certificate", pair.chain, "--tls-key", pair.key] + options
            )
            try await body(Scene(server: server, authority: authority, pair: pair, folder: folder))
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test func `association files, readiness and the report are asked over TLS`() async throws {
        try await withServer { scene in
            for name in ["apple-app-site-association", "assetlinks.json"] {
                let file = try await scene.curl("/.well-known/" + name, host: "links.example.com")
                #expect(file.output.hasSuffix(" 200"), "\(file.output)")
                #expect(file.output.contains("com.example.shop"))
            }
            let (port, pair) = ("\(scene.server.port)", scene.pair)
            let own = ["--port", port, "--tls-certificate", pair.chain, "--tls-key", pair.key]
            let health = try await Waymark.run(["healthcheck"] + own)
            #expect(health.output.contains("ready"), "\(health.errors)")
            #expect(health.code == 0)
            let report = try await Waymark.run(["report"] + own)
            #expect(report.code == 0, "\(report.errors)")
            let servers = ["report", "--servers", "https://localhost:\(port)"]
            let trusted = try await Waymark.run(servers + ["--authorities", scene.authority.root])
            #expect(trusted.code == 0, "\(trusted.errors)")
            #expect(trusted.output.contains("resolved"))
            // The authorities of this machine don't know it, and another certificate is not that of the settings.
            let stranger = try await Waymark.run(servers)
            #expect(stranger.code == 69)
            #expect(stranger.errors.contains("--authorities"), "\(stranger.errors)")
            let other = try await scene.authority.issue("other")
            let imposter = try await Waymark.run([
                "report", "--port", port, "--tls-certificate", other.chain, "--tls-key", other.key,
            ])
            #expect(imposter.code == 69)
            #expect(imposter.errors.contains("is not accepted"), "\(imposter.errors)")
        }
    }

    @Test func `a renewed pair is taken by itself, and one that does not fit is refused`() async throws {
        try await withServer { scene in
            let first = try #require(try await scene.metric("waymark_tls_certificate_end_time_seconds"))
            #expect(abs(first - Date.now.timeIntervalSince1970 - 30 * 86_400) < 86_400)
            #expect(try await scene.metric("waymark_tls_certificate_failures_total") == 0)
            #expect(try await scene.metric("waymark_tls_certificate_refused") == 0)
            // A renewal of one file alone.
            let renewed = try await scene.authority.issue("renewed", days: 50)
            try TestAuthority.join([renewed.chain], to: scene.pair.chain)
            try await scene.wait(for: "the former one stays in force")
            #expect(scene.server.logged.contains("holds no certificate of this key"))
            #expect(try await scene.metric("waymark_tls_certificate_failures_total") ?? 0 >= 1)
            #expect(try await scene.metric("waymark_tls_certificate_refused") == 1)
            #expect(try await scene.metric("waymark_tls_certificate_end_time_seconds") == first)
            try scene.replace(with: renewed)
            try await scene.wait(for: "The certificate is in force.", count: 2)
            #expect(try await scene.metric("waymark_tls_certificate_refused") == 0)
            let second = try #require(try await scene.metric("waymark_tls_certificate_end_time_seconds"))
            #expect(second - first > 19 * 86_400)
            #expect(try await scene.curl("/healthz").output.hasSuffix(" 200"))
        }
    }

    @Test func `a signal reads the files at once, and what cannot be read leaves the former in force`() async throws {
        try await withServer { scene in
            try await scene.wait(for: "The certificate is in force.")
            scene.server.signal(SIGHUP)
            try await scene.wait(for: "The certificate is unchanged.")
            chmod(scene.pair.key, 0o644)
            scene.server.signal(SIGHUP)
            try await scene.wait(for: "users outside this process's own user and groups may read")
            unlink(scene.pair.chain)
            scene.server.signal(SIGHUP)
            try await scene.wait(for: "there is no such file")
            #expect(try await scene.curl("/healthz").output.hasSuffix(" 200"))
        }
    }

    @Test func `an end within 14 days is warned of at the start`() async throws {
        try await withServer(days: 5) { scene in
            try await scene.wait(for: "The certificate ends in 4 days")
        }
    }

    @Test func `warnings count the days, and an end that has passed is an error`() throws {
        let end = Int64(1_800_000_000_000)
        func warning(_ days: Double) -> CertificateWarning? {
            CertificateWarning(
                end: .init(millisecondsSinceEpoch: end),
                at: .init(millisecondsSinceEpoch: end - Int64(days * 86_400_000))
            )
        }
        #expect(warning(14.1) == nil)
        #expect(warning(13.9)?.text.contains("13 days") == true)
        #expect(warning(1.5)?.text.contains("1 day;") == true)
        #expect(warning(0.5)?.level == .warning)
        #expect(warning(-0.1)?.level == .error)
    }

    @Test func `the second port redirects`() async throws {
        try await withServer(options: ["--redirect-port", "0"]) { scene in
            try await scene.wait(for: "Redirecting from http://127.0.0.1:")
            let port = try #require(
                scene.server.logged.firstMatch(of: /Redirecting from http:\/\/127.0.0.1:(\d+)/).flatMap { Int($0.1) }
            )
            let request = "GET /p/42 HTTP/1.1\r\nHost: links.example.com\r\n\r\n"
            let answer = try await RawConnection(port: port).exchangeUntilClose(Array(request.utf8))
            #expect(answer.contains("308 Permanent Redirect"))
            #expect(answer.contains("Location: https://links.example.com/p/42\r\n"))
            let second = try await Waymark.run(
                [
                    "serve", "--port", "0", "--redirect-port", "\(port)", "--tls-certificate", scene.pair.chain,
                    "--tls-key", scene.pair.key, "--database", scene.folder + "/second.sqlite",
                ],
                through: Waymark.bounded
            )
            #expect(second.code == 69)
            #expect(second.errors.contains("port \(port) on 127.0.0.1 is taken"), "\(second.errors)")
            #expect(second.errors.contains("--redirect-port"))
        }
    }

    @Test func `a start that cannot have TLS says why`() async throws {
        try await TemporaryFolder.with { folder in
            let authority = try await TestAuthority(in: folder)
            let (pair, other) = (try await authority.issue("leaf"), try await authority.issue("other"))
            func start(_ options: [String]) async throws -> Waymark.Outcome {
                let arguments = ["serve", "--port", "0", "--database", folder + "/states.sqlite"]
                return try await Waymark.run(arguments + options, through: Waymark.bounded)
            }
            let alone = try await start(["--tls-certificate", pair.chain])
            #expect(alone.code == 64)
            #expect(alone.errors.contains("http.tls.certificate is set without http.tls.key"))
            let redirects = try await start(["--redirect-port", "8081"])
            #expect(redirects.code == 64)
            #expect(redirects.errors.contains("there is no https to redirect to"))
            let missing = try await start(["--tls-certificate", folder + "/none.pem", "--tls-key", pair.key])
            #expect(missing.code == 69)
            #expect(missing.errors.contains("there is no such file"))
            let wrong = try await start(["--tls-certificate", pair.chain, "--tls-key", other.key])
            #expect(wrong.code == 65)
            #expect(wrong.errors.contains("holds no certificate of this key"))
            let none = try await start(["--tls-certificate", pair.key, "--tls-key", pair.key])
            #expect(none.code == 65)
            #expect(none.errors.contains("leaf.key` (http.tls.certificate) holds no certificate in PEM"))
            chmod(pair.key, 0o644)
            let exposed = try await start(["--tls-certificate", pair.chain, "--tls-key", pair.key])
            #expect(exposed.code == 65)
            #expect(exposed.errors.contains("chmod 600"))
        }
    }

    @Test func `one port cannot be both`() async throws {
        let outcome = try await Waymark.run(
            ["serve", "--port", "8443", "--redirect-port", "8443", "--tls-certificate", "a", "--tls-key", "b"],
            through: Waymark.bounded
        )
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("are both 8443"))
    }
}
