import DeepLinkCore
import DeepLinkStorage
import Foundation
import HTTPTypes
import Logging
import ServerTestSupport
import ServiceLifecycle
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkAuthentication

@Suite struct KeySetRefresherTests {
    /// A verifier with the keys of a server, for which even a busy machine is fast enough.
    private func verifier(of server: JWKSServer) throws -> EndUserVerifier {
        EndUserVerifier(TestIssuer.settings(try download(from: server)), logger: TestIssuer.logger)
    }

    private func download(from server: JWKSServer) throws -> KeySetDownload {
        KeySetDownload(url: try TrustedURL(server.url), timeout: .seconds(60))
    }

    /// Returns the answer of a verifier: the user's id, or the name of the refusal.
    private func answer(_ verifier: EndUserVerifier, _ token: String) async -> String {
        do throws(EndUserTokenError) {
            return try await verifier.user(of: token, at: TestIssuer.now).id.text
        } catch {
            return error.rawValue
        }
    }

    /// Runs a verifier's refresher as a service while a body runs.
    private func running(_ verifier: EndUserVerifier, _ body: () async throws -> Void) async throws {
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [verifier.refresher],
                logger: TestIssuer.logger
            )
        )
        async let end: Void = group.run()
        try await body()
        await group.triggerGracefulShutdown()
        try await end
    }

    /// Waits until something holds; the test's own limit ends the wait.
    private func wait(until condition: () async -> Bool) async throws {
        while !(await condition()) { try await Task.sleep(for: .milliseconds(5)) }
    }

    // MARK: URL

    @Test(.timeLimit(.minutes(5)))
    func `keys are fetched at start, and rotate with the first token of a new one`() async throws {
        let issuer = try await TestIssuer.shared.value
        let next = try await TestIssuer.curveKey("next")
        try await JWKSServer.with(.init(body: TestIssuer.document([issuer.curve.jwk]))) { server in
            let verifier = try verifier(of: server)
            try await running(verifier) {
                try await wait { server.requests.count == 1 }
                let old = try issuer.curve.token()
                #expect(await answer(verifier, old) == "ada")
                #expect(server.requests.count == 1)
                server.answer(TestIssuer.document([next.jwk]))
                let answers = try await withThrowingTaskGroup(of: String.self) { group in
                    for number in 0..<32 {
                        let claims = TestIssuer.claims(["sub": "\"\(number % 4)\""])
                        group.addTask { await answer(verifier, try next.token(claims)) }
                    }
                    return try await group.reduce(into: Set<String>()) { $0.insert($1) }
                }
                #expect(answers == ["0", "1", "2", "3"])
                #expect(server.requests.count == 2)
                // The withdrawn key is gone, and its token with it.
                #expect(verifier.cachedUser(of: old, at: TestIssuer.now) == nil)
                #expect(await answer(verifier, old) == "unknownKey")
                #expect(server.requests.count == 2)
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `unknown keys make the service fetch once in 10 seconds`() async throws {
        #expect(RefreshPace(interval: .seconds(300)).spacing == .seconds(10))
        let issuer = try await TestIssuer.shared.value
        try await JWKSServer.with(.init(body: TestIssuer.document([issuer.curve.jwk]))) { server in
            let verifier = try verifier(of: server)
            #expect(await answer(verifier, try issuer.curve.token()) == "ada")
            for number in 0..<50 {
                let token = try issuer.curve.token(header: #"{"alg":"ES256","kid":"made up \#(number)"}"#)
                #expect(await answer(verifier, token) == "unknownKey")
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a token that is malformed or unsigned fetches nothing`() async throws {
        let issuer = try await TestIssuer.shared.value
        try await JWKSServer.with(.init(body: TestIssuer.document([issuer.curve.jwk]))) { server in
            let verifier = try verifier(of: server)
            for token in [
                "x", try issuer.curve.token(header: #"{"alg":"none","kid":"x"}"#),
                try issuer.curve.token(header: #"{"alg":"ES256","kid":"x","crit":[]}"#),
                try issuer.curve.token(header: #"{"alg":"ES256","kid":7}"#),
            ] {
                _ = await answer(verifier, token)
            }
            #expect(server.requests.isEmpty)
        }
    }

    /// Answers that hold no key that can be used, and what is logged of them.
    private static func badAnswers() async throws -> [(JWKSServer.Answer, String)] {
        let secret = try await TestIssuer.shared.value.secret
        let huge = [UInt8](repeating: UInt8(ascii: " "), count: 1024 * 1024) + TestIssuer.document([secret.jwk])
        return [
            (.init(status: .internalServerError), "answers with the status 500"),
            (.init(status: .notFound, body: TestIssuer.document([secret.jwk])), "answers with the status 404"),
            (.init(body: huge), "answers with more than 1048576 bytes"),
            (.init(body: Array("<html>".utf8)), "It is not JSON: see byte 0"),
            (.init(body: Array(#"{"keys":[]}"#.utf8)), "There is no key to verify tokens with"),
            (.init(body: TestIssuer.document([secret.jwk])), "is a secret (`kty` oct) that anyone can fetch"),
            (.init(status: .found, location: "/jwks.json"), "redirects more than 3 times"),
            (.init(status: .found, location: "http://id.example/jwks.json"), "it is not https"),
            (.init(status: .found, location: "ftp://127.0.0.1/"), "it is not https"),
            (.init(status: .found, location: ""), "it isn't a URL"),
        ]
    }

    @Test(.timeLimit(.minutes(5)))
    func `after a bad answer the last good keys stay in force`() async throws {
        let issuer = try await TestIssuer.shared.value
        let (good, lines) = (TestIssuer.document([issuer.curve.jwk, issuer.rsa.jwk]), LogLines())
        let values = ["k", "n", "x", "y"].flatMap { name in issuer.all.compactMap { $0.jwk[name] } }
        let bad = try await Self.badAnswers()
        try await JWKSServer.with(.init(body: good)) { server in
            let ring = KeyRing()
            let settings = TestIssuer.settings(try download(from: server), interval: .milliseconds(20))
            let verifier = EndUserVerifier(settings, ring: ring, logger: lines.logger)
            try await running(verifier) {
                try await wait { ring.current != nil }
                let token = try issuer.rsa.token()
                #expect(await answer(verifier, token) == "ada")
                for (answer, message) in bad {
                    server.answer(answer)
                    lines.clear()
                    try await wait { lines.text.contains(message) }
                    #expect(!values.contains { lines.text.contains($0) })
                    #expect(ring.current?.generation == 1)
                    #expect(verifier.cachedUser(of: token, at: TestIssuer.now)?.id.text == "ada")
                    #expect(await self.answer(verifier, try issuer.curve.token()) == "ada")
                }
                server.answer(TestIssuer.document([issuer.curve.jwk]))
                try await wait { ring.current?.generation == 2 }
                #expect(await answer(verifier, token) == "unknownKey")
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `without keys tokens are refused, until the server answers`() async throws {
        let issuer = try await TestIssuer.shared.value
        for (answer, message) in try await Self.badAnswers() {
            let lines = LogLines()
            try await JWKSServer.with(answer) { server in
                let ring = KeyRing()
                let settings = TestIssuer.settings(try download(from: server), interval: .milliseconds(20))
                let verifier = EndUserVerifier(settings, ring: ring, logger: lines.logger)
                try await verifier.refresher.readFile()
                #expect(server.requests.isEmpty)
                try await running(verifier) {
                    try await wait { lines.text.contains(message) }
                    #expect(await self.answer(verifier, try issuer.curve.token()) == "keysUnavailable")
                    #expect(lines.text.contains("There are no keys of end users"))
                    server.answer(TestIssuer.document([issuer.curve.jwk]))
                    try await wait { ring.current != nil }
                    #expect(await self.answer(verifier, try issuer.curve.token()) == "ada")
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a server that does not answer holds a request up no longer than the timeout`() async throws {
        #expect(KeySetDownload(url: try TrustedURL("https://id.example")).timeout == .seconds(5))
        let issuer = try await TestIssuer.shared.value
        let answer = JWKSServer.Answer(body: TestIssuer.document([issuer.curve.jwk]), delay: .seconds(600))
        try await JWKSServer.with(answer) { server in
            let download = KeySetDownload(url: try TrustedURL(server.url), timeout: .seconds(1))
            do {
                _ = try await download.document()
                Issue.record("an answer came")
            } catch {
                #expect("\(error)" == "\(server.url) did not answer within 1 seconds.")
            }
            // The port is closed to everyone else: nobody listens on it.
            let nobody = KeySetDownload(url: try TrustedURL("http://127.0.0.1:1/"), timeout: .seconds(1))
            await #expect(throws: KeySetError.self) { try await nobody.document() }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a redirection to a loopback address is followed from one`() async throws {
        let issuer = try await TestIssuer.shared.value
        let document = TestIssuer.document([issuer.curve.jwk])
        try await JWKSServer.with(.init(status: .movedPermanently, body: document, location: "moved?x=1")) { server in
            let verifier = try verifier(of: server)
            #expect(await answer(verifier, try issuer.curve.token()) == "ada")
            #expect(server.requests == ["/jwks.json", "/moved"])
        }
    }

    // MARK: File

    @Test(.timeLimit(.minutes(5)))
    func `a file is read at start, again at the interval, and for a new key`() async throws {
        let issuer = try await TestIssuer.shared.value
        try await TemporaryFolder.with { folder in
            let (path, lines) = (folder + "/keys.json", LogLines())
            func write(_ keys: [TestIssuer.Key]) throws {
                try Data(TestIssuer.document(keys.map(\.jwk))).write(to: URL(filePath: path))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            }
            let verifier = EndUserVerifier(TestIssuer.settings(KeyFile(path: path)), logger: lines.logger)
            let missing = await #expect(throws: KeySetError.self) { try await verifier.refresher.readFile() }
            #expect(missing?.description.hasPrefix("The key file \(path) cannot be read: ") == true)
            try write([issuer.curve])
            try await verifier.refresher.readFile()
            #expect(await answer(verifier, try issuer.curve.token()) == "ada")
            try write([issuer.curve, issuer.secret])
            #expect(await answer(verifier, try issuer.secret.token()) == "ada")
            try Data("{".utf8).write(to: URL(filePath: path))
            await #expect(throws: KeySetError.self) { try await verifier.refresher.readFile() }
            #expect(await answer(verifier, try issuer.secret.token()) == "ada")
            // So soon after the last time, an unknown key does not make the file be read.
            try write([issuer.rsa])
            #expect(await answer(verifier, try issuer.rsa.token()) == "unknownKey")
            try await verifier.refresher.readFile()
            #expect(await answer(verifier, try issuer.rsa.token()) == "ada")
            try Data(repeating: 0x20, count: 1024 * 1024 + 1).write(to: URL(filePath: path))
            let large = await #expect(throws: KeySetError.self) { try await verifier.refresher.readFile() }
            #expect(large?.description == "The key file \(path) is over 1048576 bytes.")
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a document that did not change leaves verified tokens where they are`() async throws {
        let issuer = try await TestIssuer.shared.value
        let (source, ring) = (MemorySource(issuer.document), KeyRing())
        let settings = TestIssuer.settings(source, interval: .milliseconds(20))
        let verifier = EndUserVerifier(settings, ring: ring, logger: TestIssuer.logger)
        try await running(verifier) {
            try await wait { ring.current != nil }
            let token = try issuer.curve.token()
            #expect(await answer(verifier, token) == "ada")
            let count = source.readCount
            try await wait { source.readCount > count + 3 }
            #expect(verifier.cachedUser(of: token, at: TestIssuer.now)?.id.text == "ada")
            #expect(ring.current?.generation == 1)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `keys are as old as the last reading that succeeded`() async throws {
        let issuer = try await TestIssuer.shared.value
        let (document, ring) = (TestIssuer.document([issuer.curve.jwk]), KeyRing())
        try await JWKSServer.with(.init(body: document)) { server in
            let settings = TestIssuer.settings(try download(from: server), interval: .milliseconds(20))
            let verifier = EndUserVerifier(settings, ring: ring, logger: TestIssuer.logger)
            func becomeOld() { ring.state.withLock { $0.readAt = .now - .seconds(1000) } }
            becomeOld()
            #expect(verifier.keyFreshness.count == 0 && verifier.keyFreshness.age >= .seconds(1000))
            try await running(verifier) {
                try await wait { verifier.keyFreshness.count == 1 && verifier.keyFreshness.age < .seconds(1000) }
                // The same document, read again.
                becomeOld()
                try await wait { verifier.keyFreshness.age < .seconds(1000) }
                server.answer(.init(body: []))
                let count = server.requests.count
                try await wait { server.requests.count > count + 2 }
                becomeOld()
                try await wait { server.requests.count > count + 6 }
                #expect(verifier.keyFreshness.count == 1 && verifier.keyFreshness.age >= .seconds(1000))
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `readings at the same time are one`() async throws {
        let issuer = try await TestIssuer.shared.value
        let source = MemorySource(issuer.document, delay: .milliseconds(100))
        let verifier = EndUserVerifier(TestIssuer.settings(source), logger: TestIssuer.logger)
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<32 {
                let token = try issuer.all[number % 4].token()
                group.addTask { await answer(verifier, token) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(answers == ["ada"])
        #expect(source.readCount == 1)
    }
}
