package import DeepLinkCore

/// The replacement of one user's state, asked of a store.
package struct UserStateWrite: Sendable {
    /// The user.
    package let id: UserID

    /// The level to set.
    package let level: HeldLevel

    /// The grants in place of all that the user holds; `nil` to leave them.
    package let grants: [HeldGrant]?

    /// The state that must be there for the write to happen.
    package let precondition: UserStatePrecondition

    /// The time of the change.
    package let time: Timestamp

    /// The author of the change, for the history.
    package let author: String

    /// The moment as of which the writer says that the write counts; `nil` for now.
    package let asOf: Timestamp?

    /// Whether the result has the change for the audit log, with the user's name there.
    package let isAudited: Bool

    /// The answer to be kept with the change; `nil` for none.
    package let keeping: AnswerKeeping<SavedUserState>?

    /// Creates a request from its parts.
    package init(
        id: UserID,
        level: HeldLevel,
        grants: [HeldGrant]? = nil,
        precondition: UserStatePrecondition = .none,
        time: Timestamp,
        author: String,
        asOf: Timestamp? = nil,
        isAudited: Bool = false,
        keeping: AnswerKeeping<SavedUserState>? = nil
    ) {
        self.id = id
        self.level = level
        self.grants = grants
        self.precondition = precondition
        self.time = time
        self.author = author
        self.asOf = asOf
        self.isAudited = isAudited
        self.keeping = keeping
    }
}
