package import DeepLinkCore

/// A service token as it is stored: everything but its secret.
package struct ServiceToken: Hashable, Sendable {
    /// The identity of the token.
    package let id: ServiceTokenID

    /// The SHA-256 digest of the token's text, 32 bytes.
    package let digest: [UInt8]

    /// The role of its holder.
    package let role: Role

    /// The grants that a granter may write; empty for other roles.
    package let grants: [GrantName]

    /// The purpose of the token, in its creator's words; empty if none was given.
    package let note: String

    /// The time of its creation.
    package let created: Timestamp

    /// The last moment at which it opens anything; `nil` for no end.
    package let expires: Timestamp?

    /// The time of its revocation; `nil` if it isn't revoked.
    package let revoked: Timestamp?

    /// The last day on which the token was used; `nil` if no use was noted.
    package let lastUsed: CountedDay?

    /// Creates a record from its parts.
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

    /// Returns the token as it is once it was revoked.
    package func revoked(at time: Timestamp) -> ServiceToken { changed(revoked: time, lastUsed: lastUsed) }

    /// Returns the token as it is once it was used on a day.
    package func used(on day: CountedDay) -> ServiceToken { changed(revoked: revoked, lastUsed: day) }

    private func changed(revoked: Timestamp?, lastUsed: CountedDay?) -> ServiceToken {
        ServiceToken(
            id: id,
            digest: digest,
            role: role,
            grants: grants,
            note: note,
            created: created,
            expires: expires,
            revoked: revoked,
            lastUsed: lastUsed
        )
    }

    /// Returns whether the token opens anything at a moment.
    package func isUsable(at time: Timestamp) -> Bool {
        revoked == nil && expires.map { time <= $0 } ?? true
    }
}

/// The permissions of the holder of a service token.
package enum Role: String, CaseIterable, Sendable {
    /// Resolves links for any user, builds links and reads the catalog.
    case resolver

    /// Reads metrics, and nothing else.
    case monitor

    /// Writes the grants that its token names, and nothing else.
    case granter

    /// Does what a resolver does, makes and withdraws short links, and reads counts.
    case publisher

    /// Does everything; alone reads users, and writes their levels.
    case admin
}

/// The identity of a service token, which gives no access: 12 lower-case letters and digits, drawn at random.
package struct ServiceTokenID: Hashable, Sendable {
    private static let characters = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

    private static let characterCount = 12

    /// The characters.
    package let text: String

    /// Creates an id from random characters of an alphabet.
    package init(drawing draw: (_ count: Int, _ alphabet: [UInt8]) -> String) {
        text = draw(Self.characterCount, Self.characters)
    }

    /// Reads an id; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.characterCount, text.utf8.allSatisfy(Self.characters.contains) else { return nil }
        self.text = String(text)
    }
}

/// A store of service tokens: the interface through which the HTTP layer and the commands reach each implementation.
///
/// Tokens are few. Revoked and expired ones are kept, so that a server that once authenticated callers never stops
/// doing so.
package protocol ServiceTokenStore: Sendable {
    /// Reads all tokens, the oldest first, revoked and expired ones included.
    func serviceTokens() async throws -> [ServiceToken]

    /// Adds a token; when this returns, it survives a loss of power.
    func add(_ token: ServiceToken) async throws

    /// Takes a token back, at a moment.
    ///
    /// - Returns: whether there is such a token; one that was revoked before keeps its moment.
    func revoke(_ id: ServiceTokenID, at time: Timestamp) async throws -> Bool

    /// Stores the last days on which tokens were used; an earlier day than the stored one changes nothing.
    func noteUses(_ days: [ServiceTokenID: CountedDay]) async throws
}
