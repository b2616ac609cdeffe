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

    /// The moment as of which the caller says that there is no state; `nil` for now.
    public let asOf: Timestamp?

    /// Whether all that is kept of the user is forgotten with the state, but for a digest with the last version.
    public let isErasure: Bool

    /// The answer to be kept with a deletion; `nil` for none, and an erasure keeps none.
    public let keeping: AnswerKeeping<Void>?

    /// Creates a request from its parts.
    public init(
        id: UserID,
        precondition: UserStatePrecondition = .none,
        time: Timestamp,
        author: String,
        asOf: Timestamp? = nil,
        isErasure: Bool = false,
        keeping: AnswerKeeping<Void>? = nil
    ) {
        self.id = id
        self.precondition = precondition
        self.time = time
        self.author = author
        self.asOf = asOf
        self.isErasure = isErasure
        self.keeping = keeping
    }
}
