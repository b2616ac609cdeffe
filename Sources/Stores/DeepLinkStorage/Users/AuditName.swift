/// The name of a user in the audit log: random characters in place of the id.
///
/// Nothing leads from a name to its user but the row of the store that has both, and an erasure deletes that row. So the
/// lines of an erased user stay as they are, and are nobody's.
package struct AuditName: Hashable, Sendable {
    private static let prefix = "u-"

    /// The characters of Crockford's base 32, in lower case.
    private static let characters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The number of random characters: 120 bits.
    private static let characterCount = 24

    /// The characters, with the prefix.
    package let text: String

    /// Draws a name from the system's source of randomness.
    package init() {
        var generator = SystemRandomNumberGenerator()
        let drawn = (0..<Self.characterCount)
            .map { _ in Self.characters[Int(generator.next(upperBound: UInt(Self.characters.count)))] }
        text = Self.prefix + String(decoding: drawn, as: UTF8.self)
    }

    /// Reads a name; `nil` for any other text.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.starts(with: Self.prefix.utf8), bytes.count == Self.prefix.utf8.count + Self.characterCount,
            bytes.dropFirst(Self.prefix.utf8.count).allSatisfy(Self.characters.contains)
        else { return nil }
        self.text = text
    }
}

/// A store of the names that users have in the audit log.
///
/// A name is made with the first audited change of its user, in the same transaction, and deleted by the erasure of the
/// user; a user who comes back has another one.
package protocol AuditNameStore: Sendable {
    /// Reads the name of a user; `nil` for one who has none.
    func auditName(of id: UserID) async throws -> AuditName?

    /// Reads the users of names; those of erased users, and unknown ones, are left out.
    ///
    /// To be called with ``UserStateSlices/size`` names at most.
    func users(named names: [AuditName]) async throws -> [AuditName: UserID]
}

/// A change of a user, as the audit log tells it.
package struct AuditedChange: Hashable, Sendable {
    /// The name of the user in the log.
    package let user: AuditName

    /// The level and the grants before; `nil` for a user without a state.
    package let before: UserAccess?

    /// The level and the grants after; `nil` for a user without a state.
    package let after: UserAccess?

    /// Creates a change from its parts.
    package init(of user: AuditName, from before: UserAccess?, to after: UserAccess?) {
        self.user = user
        self.before = before
        self.after = after
    }
}
