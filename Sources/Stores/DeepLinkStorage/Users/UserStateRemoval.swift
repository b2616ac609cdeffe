package import DeepLinkCore

/// A request to a store to delete one user's state.
package struct UserStateRemoval: UserChangeRequest {
    /// The user to delete.
    package let id: UserID

    /// The terms of the deletion.
    package let terms: ChangeTerms

    /// Whether all data of the user is erased with the state.
    ///
    /// Only a digest with the last version remains.
    package let isErasure: Bool

    /// The response to store with a deletion, or `nil` to store none.
    ///
    /// An erasure stores none.
    package let storing: ResponseStoring<Void>?

    /// Creates a request.
    package init(
        id: UserID,
        precondition: UserStatePrecondition = .none,
        time: Timestamp,
        author: String,
        asOf: Timestamp? = nil,
        isErasure: Bool = false,
        isAudited: Bool = false,
        storing: ResponseStoring<Void>? = nil
    ) {
        self.id = id
        terms = ChangeTerms(
            precondition: precondition,
            time: time,
            author: author,
            asOf: asOf,
            isAudited: isAudited
        )
        self.isErasure = isErasure
        self.storing = storing
    }
}

/// The result of a store's deletion.
package struct UserStateRemovalResult: Hashable, Sendable {
    /// Whether a state existed, or for an erasure, a state or a history.
    package let wasThere: Bool

    /// The change for the audit log, or `nil` if it isn't audited or nothing changed.
    package let audited: AuditedChange?
}
