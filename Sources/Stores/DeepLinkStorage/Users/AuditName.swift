/// The name of a user in the audit log: random characters in place of the id.
///
/// Only a row of the store connects a name with its user, and an erasure deletes that row. The log lines of an erased
/// user stay, and can no longer be attributed to the user.
package struct AuditName: Hashable, Sendable {
    private static let prefix = "u-"

    /// The characters of Crockford's base 32, in lower case.
    private static let characters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The number of random characters: 120 bits.
    private static let characterCount = 24

    /// The characters, with the prefix.
    package let text: String

    /// Creates a random name.
    package init() {
        var generator = SystemRandomNumberGenerator()
        let drawn = (0..<Self.characterCount)
            .map { _ in Self.characters[Int(generator.next(upperBound: UInt(Self.characters.count)))] }
        text = Self.prefix + String(decoding: drawn, as: UTF8.self)
    }

    /// Parses a name, or returns `nil` for any other text.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.starts(with: Self.prefix.utf8), bytes.count == Self.prefix.utf8.count + Self.characterCount,
            bytes.dropFirst(Self.prefix.utf8.count).allSatisfy(Self.characters.contains)
        else { return nil }
        self.text = text
    }
}

/// A store of the audit log names of users.
///
/// A name is created with the first audited change of its user, in the same transaction, and deleted by the erasure of
/// the user. A user who is created again gets another name.
package protocol AuditNameStore: Sendable {
    /// Reads the name of a user, or `nil` if there is none.
    func auditName(of id: UserID) async throws -> AuditName?

    /// Reads the users with the given names. Names of erased users, and unknown ones, are left out.
    ///
    /// Pass at most ``BatchLimits/size`` names.
    func users(named names: [AuditName]) async throws -> [AuditName: UserID]
}

/// A change of a user, as it is written to the audit log.
package struct AuditedChange: Hashable, Sendable {
    /// The name of the user in the log.
    package let user: AuditName

    /// The level and the grants before, or `nil` for a user without a state.
    package let before: UserAccess?

    /// The level and the grants after, or `nil` for a user without a state.
    package let after: UserAccess?
}
