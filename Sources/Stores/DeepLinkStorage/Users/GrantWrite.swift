package import DeepLinkCore

/// A request to a store to change one grant of one user.
package struct GrantWrite: UserChangeRequest {
    /// A change of a grant.
    package enum Change: Hashable, Sendable {
        /// The user holds the grant until an end, or without end if it is `nil`. If the end has passed, the grant is
        /// removed.
        case hold(until: Timestamp?)

        /// The user no longer holds the grant.
        case remove
    }

    /// The user to change.
    package let id: UserID

    /// The current name of the grant.
    package let name: GrantName

    /// The former names of the grant, which the change also affects.
    package let formerNames: [GrantName]

    /// The change to make.
    package let change: Change

    /// The terms of the change, in which `exists` and `absent` ask whether the user holds the grant.
    package let terms: ChangeTerms

    /// The response to store with the change, or `nil` to store none.
    package let storing: ResponseStoring<GrantWriteResult>?

    /// Creates a request.
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
        storing: ResponseStoring<GrantWriteResult>? = nil
    ) {
        self.id = id
        self.name = name
        self.formerNames = formerNames
        self.change = change
        terms = ChangeTerms(
            precondition: precondition,
            time: time,
            author: author,
            asOf: asOf,
            isAudited: isAudited
        )
        self.storing = storing
    }
}

/// The result of a store's change of a grant.
package struct GrantWriteResult: Hashable, Sendable {
    /// The stored state after the change, or `nil` for a user without one.
    package let state: UserState?

    /// Whether the user held the grant before.
    package let wasHeld: Bool

    /// Whether the user holds the grant now.
    package let isHeld: Bool

    /// The change for the audit log, or `nil` if it isn't audited or nothing changed.
    package var audited: AuditedChange?
}
