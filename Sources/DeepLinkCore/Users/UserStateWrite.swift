/// The replacement of one user's state, asked of a store.
public struct UserStateWrite: Sendable {
    /// Whose state.
    public let id: UserID

    /// What to set.
    public let grant: LevelGrant

    /// The state that must be there for the write to happen.
    public let precondition: UserStatePrecondition

    /// When the change is made.
    public let time: Timestamp

    /// Who makes it, for the history.
    public let author: String

    /// The moment as of which the writer says that the grant counts; `nil` for now.
    public let asOf: Timestamp?

    /// The answer to be kept with the change; `nil` for none.
    public let keeping: AnswerKeeping<SavedUserState>?

    /// Creates a request from its parts.
    public init(
        id: UserID,
        grant: LevelGrant,
        precondition: UserStatePrecondition = .none,
        time: Timestamp,
        author: String,
        asOf: Timestamp? = nil,
        keeping: AnswerKeeping<SavedUserState>? = nil
    ) {
        self.id = id
        self.grant = grant
        self.precondition = precondition
        self.time = time
        self.author = author
        self.asOf = asOf
        self.keeping = keeping
    }
}
