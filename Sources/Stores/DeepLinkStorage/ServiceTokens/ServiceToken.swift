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
