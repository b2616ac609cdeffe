package import DeepLinkCore

/// A service token as it is stored: everything except its secret.
package struct ServiceToken: Hashable, Sendable {
    /// The identity of the token.
    package let id: ServiceTokenID

    /// The SHA-256 digest of the token's text, 32 bytes.
    package let digest: [UInt8]

    /// The role of its holder.
    package let role: Role

    /// The grants that a granter may write.
    ///
    /// Empty for other roles.
    package let grants: [GrantName]

    /// The purpose of the token, in its creator's words.
    ///
    /// Empty if none was given.
    package let note: String

    /// The time of its creation.
    package let created: Timestamp

    /// The last time at which the token is accepted, or `nil` if it does not expire.
    package let expires: Timestamp?

    /// The time of its revocation, or `nil` if it isn't revoked.
    package private(set) var revoked: Timestamp?

    /// The last day on which the token was used, or `nil` if no use was recorded.
    package private(set) var lastUsed: CountedDay?

    /// Creates a token.
    package init(
        id: ServiceTokenID,
        digest: [UInt8],
        role: Role,
        grants: [GrantName] = [],
        note: String = "",
        created: Timestamp,
        expires: Timestamp? = nil,
        revoked: Timestamp? = nil,
        lastUsed: CountedDay? = nil
    ) {
        self.id = id
        self.digest = digest
        self.role = role
        self.grants = grants
        self.note = note
        self.created = created
        self.expires = expires
        self.revoked = revoked
        self.lastUsed = lastUsed
    }

    /// Returns the token as revoked at a time.
    package func revoked(at time: Timestamp) -> ServiceToken {
        var token = self
        token.revoked = time
        return token
    }

    /// Returns the token as used on a day.
    package func used(on day: CountedDay) -> ServiceToken {
        var token = self
        token.lastUsed = day
        return token
    }

    /// Returns whether the token is accepted at a time.
    package func isUsable(at time: Timestamp) -> Bool {
        revoked == nil && expires.map { time <= $0 } ?? true
    }
}

/// The permissions of the holder of a service token.
package enum Role: String, CaseIterable, Sendable {
    /// Resolves links for any user, builds links and reads the catalog.
    case resolver

    /// Reads metrics only.
    case monitor

    /// Writes only the grants that its token lists.
    case granter

    /// Has the permissions of a resolver, makes and withdraws short links, and reads counts.
    case publisher

    /// Has all permissions. Only an admin reads users and writes their levels.
    case admin
}

/// The identity of a service token, which is not a secret: 12 random lower-case letters and digits.
package struct ServiceTokenID: Hashable, Sendable {
    private static let characters = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

    private static let characterCount = 12

    /// The characters.
    package let text: String

    /// Creates an id from random characters of an alphabet.
    package init(drawing draw: (_ count: Int, _ alphabet: [UInt8]) -> String) {
        text = draw(Self.characterCount, Self.characters)
    }

    /// Parses an id, or returns `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.characterCount, text.utf8.allSatisfy(Self.characters.contains) else { return nil }
        self.text = String(text)
    }
}
