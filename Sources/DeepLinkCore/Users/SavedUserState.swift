/// What a store wrote.
public struct SavedUserState: Hashable, Sendable {
    /// The state as it is stored now.
    public let state: UserState

    /// Whether the user had no state before.
    public let isNew: Bool

    /// Creates a report from its parts.
    public init(state: UserState, isNew: Bool) {
        self.state = state
        self.isNew = isNew
    }
}
