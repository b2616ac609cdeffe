/// A kind of change in the audit log.
package enum AuditAction: String, CaseIterable, Sendable {
    /// A user's level was set, with all grants if an import names them.
    case setUser = "user.set"

    /// A user was given a grant.
    case grant = "user.grant"

    /// A grant was taken from a user.
    case revokeGrant = "user.revoke"

    /// A user's state was deleted. The history remains.
    case deleteUser = "user.delete"

    /// All stored data of a user was erased.
    case eraseUser = "user.erase"

    /// A level was renamed in all stored users.
    case renameLevel = "user.rename-level"

    /// A service token was created.
    case createToken = "token.create"

    /// A service token was revoked.
    case revokeToken = "token.revoke"

    /// A catalog became the current one.
    case loadCatalog = "catalog.load"

    /// A catalog was refused.
    case refuseCatalog = "catalog.refuse"

    /// A short link was made.
    case makeShortLink = "short-link.make"

    /// A short link's record was replaced.
    case replaceShortLink = "short-link.replace"

    /// A short link was withdrawn.
    case withdrawShortLink = "short-link.withdraw"

    /// The database was replaced by a backup.
    case restoreDatabase = "database.restore"
}
