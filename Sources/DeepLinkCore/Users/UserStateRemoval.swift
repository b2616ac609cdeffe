/// The deletion of one user's state, asked of a store.
public struct UserStateRemoval: Sendable {
    /// Whose state.
    public let id: UserID

    /// The state that must be there for the deletion to happen.
    public let precondition: UserStatePrecondition

    /// When the change is made.
    public let time: Timestamp

    /// Who makes it, for the history.
    public let author: String

    /// Creates a request from its parts.
    public init(id: UserID, precondition: UserStatePrecondition = .none, time: Timestamp, author: String) {
        self.id = id
        self.precondition = precondition
        self.time = time
        self.author = author
    }
}
