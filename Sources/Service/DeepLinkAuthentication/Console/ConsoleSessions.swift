package import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The sessions of persons.
///
/// None is stored: a sealed text is the session, on every replica.
///
/// A session has a long-lived cookie that can only be exchanged for a short-lived access token. The token is sent in
/// `Authorization`, and lasts for minutes: no request is authorized just because a browser attached a cookie.
package struct ConsoleSessions: Sendable {
    /// The prefix of every token.
    static let prefix = "wp_"

    /// The maximum duration of a session, in seconds: a working day.
    package static let lifetime = 8 * 3600

    /// The maximum lifetime of a token, in seconds.
    static let tokenLifetime = 600

    private let cookies: SealingKeys
    private let tokens: SealingKeys

    /// Derives the keys of sessions, or returns `nil` without a secret.
    ///
    /// - Parameters:
    ///   - secrets: the secrets, of 32 bytes or more. The first seals, and all open.
    ///   - scope: the provider and the client. Sessions of another scope are invalid.
    init?(secrets: [[UInt8]], scope: String) {
        guard let cookies = SealingKeys(secrets: secrets, purpose: "session cookie\n\(scope)"),
            let tokens = SealingKeys(secrets: secrets, purpose: "session token\n\(scope)")
        else { return nil }
        self.cookies = cookies
        self.tokens = tokens
    }

    /// Begins a session of a person.
    func begin(of person: ConsoleUser, at time: Timestamp) -> ConsoleSession {
        ConsoleSession(person: person, end: time.adding(seconds: Self.lifetime))
    }

    /// Returns the value of the cookie of a session.
    package func cookie(of session: ConsoleSession) throws -> String { try cookies.seal(session.content) }

    /// Returns the session of a cookie, or `nil` if the text is invalid or the session has ended.
    package func session(ofCookie text: String, at time: Timestamp) -> ConsoleSession? {
        Self.session(cookies.open(text), at: time)
    }

    /// Returns a token of a session, and its lifetime in seconds.
    package func token(of session: ConsoleSession, at time: Timestamp) throws -> (text: String, seconds: Int) {
        let end = min(session.end, time.adding(seconds: Self.tokenLifetime))
        let text = Self.prefix + (try tokens.seal(ConsoleSession(person: session.person, end: end).content))
        return (text, Int(end.millisecondsSinceEpoch - time.millisecondsSinceEpoch) / 1000)
    }

    /// Returns the person that a token authenticates, or `nil` if the text is invalid or the token has expired.
    func person(ofToken text: String, at time: Timestamp) -> ConsoleUser? {
        guard text.utf8.starts(with: Self.prefix.utf8) else { return nil }
        let sealed = String(Substring(text.utf8.dropFirst(Self.prefix.utf8.count)))
        return Self.session(tokens.open(sealed), at: time)?.person
    }

    private static func session(_ content: [UInt8]?, at time: Timestamp) -> ConsoleSession? {
        guard let session = content.flatMap(ConsoleSession.init), time < session.end else { return nil }
        return session
    }
}

extension Timestamp {
    /// Returns the time a number of seconds later.
    func adding(seconds: Int) -> Timestamp {
        Timestamp(millisecondsSinceEpoch: millisecondsSinceEpoch + Int64(seconds) * 1000)
    }
}

/// A console session: a logged-in person, until the session ends.
package struct ConsoleSession: Sendable {
    /// The logged-in person, with roles.
    package let person: ConsoleUser

    /// The time at which the session ends.
    package let end: Timestamp
}

extension ConsoleSession {
    /// Reads the content of a sealed session, or returns `nil` if another version of this service wrote it.
    init?(_ content: [UInt8]) {
        guard case .object(let members)? = try? JSONParser.parse(content),
            case .string(let subject)? = members["sub"], case .string(let name)? = members["name"],
            case .array(let items)? = members["roles"], case .integer(let end)? = members["end"]
        else { return nil }
        let roles = items.compactMap { item in if case .string(let text) = item { Role(bytewise: text) } else { nil } }
        guard let person = ConsoleUser(subject: subject, name: name, roles: roles) else { return nil }
        self.init(person: person, end: Timestamp(millisecondsSinceEpoch: end))
    }

    /// The content to seal.
    var content: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("sub", person.subject)
            writer.member("name", person.name)
            writer.member("roles", array: person.roles) { writer, role in writer.string(role.rawValue) }
            writer.member("end", Int(end.millisecondsSinceEpoch))
        }
        return writer.bytes
    }
}
