/// The result of a store's write.
package struct SavedUserState: Hashable, Sendable {
    /// The state as it is stored now.
    package let state: UserState

    /// Whether the user had no state before.
    package let isNew: Bool

    /// The change for the audit log; `nil` if it isn't audited, or nothing changed.
    package var audited: AuditedChange?

    /// Creates a report from its parts.
    package init(state: UserState, isNew: Bool) {
        self.state = state
        self.isNew = isNew
    }
}
