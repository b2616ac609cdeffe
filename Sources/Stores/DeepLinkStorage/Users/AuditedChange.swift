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
