import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import ServerTestSupport
import Testing

@testable import DeepLinkAuthentication

@Suite struct ConsoleSessionTests {
    private static let secrets = (1...2).map { [UInt8](repeating: $0, count: 32) }
    private static let now = TestIssuer.now

    private func sessions(_ secrets: [[UInt8]] = Self.secrets, scope: String = "id\nclient") throws -> ConsoleSessions {
        try #require(ConsoleSessions(secrets: secrets, scope: scope))
    }

    private func person(_ roles: [Role] = [.resolver, .monitor]) throws -> ConsoleUser {
        try #require(ConsoleUser(subject: "f81d4fae", name: "ada", roles: roles))
    }

    @Test func `a session made on one replica counts on another, and its token too`() throws {
        let (one, other) = (try sessions(), try sessions())
        let session = one.begin(of: try person(), at: Self.now)
        let found = try #require(other.session(ofCookie: try one.cookie(of: session), at: Self.now))
        #expect(found.person == session.person)
        #expect(found.end == session.end)
        let (token, seconds) = try other.token(of: found, at: Self.now)
        #expect(seconds == 600)
        #expect(one.person(ofToken: token, at: Self.now) == session.person)
        #expect(token.hasPrefix("wp_"))
    }

    @Test func `a session ends after eight hours, and a token after ten minutes or with its session`() throws {
        let sessions = try sessions()
        let session = sessions.begin(of: try person(), at: Self.now)
        let cookie = try sessions.cookie(of: session)
        let last = Self.now.adding(seconds: 8 * 3600 - 1)
        #expect(sessions.session(ofCookie: cookie, at: last) != nil)
        #expect(sessions.session(ofCookie: cookie, at: last.adding(seconds: 1)) == nil)
        let token = try sessions.token(of: session, at: Self.now).text
        #expect(sessions.person(ofToken: token, at: Self.now.adding(seconds: 599)) != nil)
        #expect(sessions.person(ofToken: token, at: Self.now.adding(seconds: 600)) == nil)
        let (late, seconds) = try sessions.token(of: session, at: last)
        #expect(seconds == 1)
        #expect(sessions.person(ofToken: late, at: last.adding(seconds: 1)) == nil)
    }

    @Test func `a cookie is no token, a token is no cookie, and neither is an attempt`() throws {
        let sessions = try sessions()
        let session = sessions.begin(of: try person(), at: Self.now)
        let (cookie, token) = (try sessions.cookie(of: session), try sessions.token(of: session, at: Self.now).text)
        #expect(sessions.person(ofToken: "wp_" + cookie, at: Self.now) == nil)
        #expect(sessions.session(ofCookie: String(token.dropFirst(3)), at: Self.now) == nil)
        let keys = try #require(SealingKeys(secrets: Self.secrets, purpose: "login\nid\nclient"))
        #expect(keys.open(cookie) == nil)
    }

    @Test func `a changed text, and one of another secret, provider or client, opens nothing`() throws {
        let sessions = try sessions()
        let session = sessions.begin(of: try person(), at: Self.now)
        let cookie = try sessions.cookie(of: session)
        let bytes = try #require(Base64URL.decode(cookie.utf8))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(sessions.session(ofCookie: Base64URL.encode(changed), at: Self.now) == nil, "byte \(index)")
        }
        for text in ["", "A", "wp_", String(cookie.dropLast(4)), cookie + "AAAA"] {
            #expect(sessions.session(ofCookie: text, at: Self.now) == nil, "\(text)")
            #expect(sessions.person(ofToken: text, at: Self.now) == nil, "\(text)")
        }
        let others = [try self.sessions([[UInt8](repeating: 9, count: 32)]), try self.sessions(scope: "id\nother")]
        for other in others { #expect(other.session(ofCookie: cookie, at: Self.now) == nil) }
    }

    @Test func `a session outlives the replacement of the key while the former one is kept`() throws {
        let former = try sessions([Self.secrets[1]])
        let cookie = try former.cookie(of: former.begin(of: try person(), at: Self.now))
        #expect(try sessions().session(ofCookie: cookie, at: Self.now) != nil)
        #expect(try sessions([Self.secrets[0]]).session(ofCookie: cookie, at: Self.now) == nil)
        #expect(ConsoleSessions(secrets: [], scope: "") == nil)
    }

    @Test func `a person may what one of the roles may`() throws {
        let both = Caller.person(try person())
        for access in [Access.resolving, .monitoring, .services, .readingCounts, .resolvingLinks, .everyone] {
            #expect(throws: Never.self, "\(access)") { try access.check(both) }
        }
        for access in [Access.administration, .granting, .countingUsers] {
            #expect(throws: Problem.self, "\(access)") { try access.check(both) }
        }
        let monitor = Caller.person(try person([.monitor]))
        #expect(throws: Problem.self) { try Access.resolving.check(monitor) }
        for access in Access.allCases {
            #expect(throws: Never.self, "\(access)") { try access.check(.person(try person([.resolver, .admin]))) }
        }
        #expect(try person([.resolver, .admin]).roles == [.admin])
        #expect(ConsoleUser(subject: "a", name: "b", roles: []) == nil)
        #expect(ConsoleUser(subject: "a", name: "b", roles: [.granter]) == nil)
    }

    @Test func `a person is named by the best claim, and by an identifier that nobody chooses`() throws {
        func label(_ claims: String) throws -> String? {
            guard case .object(let members) = try JSONParser.parse(Array(claims.utf8)) else { return nil }
            return ConsoleUser(members, roles: [.admin]).map { Caller.person($0).name }
        }
        #expect(try label(#"{"sub":"1","preferred_username":"ada","email":"a@b","name":"Ada"}"#) == "person ada (1)")
        #expect(try label(#"{"sub":"1","email":"a@b","name":"Ada"}"#) == "person a@b (1)")
        #expect(try label(#"{"sub":"1","preferred_username":"a\nb","name":"Ada"}"#) == "person Ada (1)")
        #expect(try label(#"{"sub":"1"}"#) == "person 1")
        #expect(try label(#"{"sub":"1\u0000"}"#) == nil)
        #expect(try label(#"{"name":"Ada"}"#) == nil)
    }
}
