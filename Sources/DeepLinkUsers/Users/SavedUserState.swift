/// The result of a store's write.
package struct SavedUserState: Hashable, Sendable {
    /// The state as it is stored now.
    package let state: UserState

    /// Whether the user had no state before.
    package let isNew: Bool

    /// Creates a report from its parts.
    package init(state: UserState, isNew: Bool) {
        self.state = state
        self.isNew = isNew
    }
}
