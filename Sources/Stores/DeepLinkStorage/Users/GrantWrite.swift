package import DeepLinkCore

/// The change of one grant of one user, asked of a store.
package struct GrantWrite: Sendable {
    /// A change of a grant.
    package enum Change: Hashable, Sendable {
        /// The user holds the grant up to an end; `nil` for ever. With an end that has passed, the grant is removed.
        case hold(until: Timestamp?)

        /// The user no longer holds the grant.
        case remove
    }

    /// The user.
    package let id: UserID

    /// The name of the grant.
    package let name: GrantName

    /// The former names of the grant, which the change concerns as well.
    package let formerNames: [GrantName]

    /// The change.
    package let change: Change

    /// The state that must be there for the change to happen: without a version, the precondition asks whether the user
    /// holds the grant.
    package let precondition: UserStatePrecondition

    /// The time of the change.
    package let time: Timestamp

    /// The author of the change, for the history.
    package let author: String

    /// The moment as of which the author says that the change counts; `nil` for now.
    package let asOf: Timestamp?

    /// Whether the result has the change for the audit log, with the user's name there.
    package let isAudited: Bool

    /// The answer to be kept with the change; `nil` for none.
    package let keeping: AnswerKeeping<SavedGrant>?

    /// Creates a request from its parts.
    package init(
        id: UserID,
        name: GrantName,
        formerNames: [GrantName] = [],
        change: Change,
        precondition: UserStatePrecondition = .none,
        time: Timestamp,
        author: String,
        asOf: Timestamp? = nil,
        isAudited: Bool = false,
        keeping: AnswerKeeping<SavedGrant>? = nil
    ) {
        self.id = id
        self.name = name
        self.formerNames = formerNames
        self.change = change
        self.precondition = precondition
        self.time = time
        self.author = author
        self.asOf = asOf
        self.isAudited = isAudited
        self.keeping = keeping
    }
}

/// The result of a store's change of a grant.
package struct SavedGrant: Hashable, Sendable {
    /// The state as it is stored now; `nil` for a user without one.
    package let state: UserState?

    /// Whether the user held the grant before.
    package let wasHeld: Bool

    /// Whether the user holds the grant now.
    package let isHeld: Bool

    /// The change for the audit log; `nil` if it isn't audited, or nothing changed.
    package var audited: AuditedChange?

    /// Creates a report from its parts.
    package init(state: UserState?, wasHeld: Bool, isHeld: Bool) {
        self.state = state
        self.wasHeld = wasHeld
        self.isHeld = isHeld
    }
}
