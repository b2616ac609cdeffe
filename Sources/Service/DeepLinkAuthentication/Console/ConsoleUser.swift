import DeepLinkCore
import DeepLinkFormats
package import DeepLinkStorage

/// A person logged in to the console, as the identity provider describes them.
package struct ConsoleUser: Hashable, Sendable {
    /// The roles that a person may have.
    ///
    /// The role granter is excluded, since its grants are listed in a service token.
    package static let possibleRoles = Role.allCases.filter { $0 != .granter }

    /// The claims that can name a person, the preferred one first (OpenID Connect Core §5.1).
    private static let nameClaims: [ByteText] = ["preferred_username", "email", "name"]

    private static let maximumByteCount = 256

    /// The provider's stable identifier of the person.
    package let subject: String

    /// The display name.
    ///
    /// The person may be able to change it.
    package let name: String

    /// The roles of the person, one or more.
    ///
    /// The role `admin` includes all others.
    package let roles: [Role]

    /// Creates a person, or returns `nil` without a role, or if a text is empty, over 256 bytes, or has control
    /// characters.
    package init?(subject: String, name: String, roles: [Role]) {
        let possible = roles.contains(.admin) ? [.admin] : Self.possibleRoles.filter(roles.contains)
        guard !possible.isEmpty, Self.isSound(subject), Self.isSound(name) else { return nil }
        self.subject = subject
        self.name = name
        self.roles = possible
    }

    /// Creates a person from the claims of an ID token, or returns `nil` without a subject or a role.
    init?(_ claims: JSONObject, roles: [Role]) {
        guard case .string(let subject)? = claims["sub"] else { return nil }
        self.init(subject: subject, name: Self.name(claims), roles: roles)
    }

    /// Returns the display name in the claims of an ID token: the preferred one, or the subject.
    static func name(_ claims: JSONObject) -> String {
        for claim in nameClaims {
            if case .string(let text)? = claims[claim], isSound(text) { return text }
        }
        return if case .string(let text)? = claims["sub"] { text } else { "" }
    }

    /// The person in logs and histories: the display name, followed by the identifier, since the person cannot choose
    /// that.
    package var label: String { name.bytewise == subject.bytewise ? name : "\(name) (\(subject))" }

    private static func isSound(_ text: String) -> Bool {
        (1...maximumByteCount).contains(text.utf8.count)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
