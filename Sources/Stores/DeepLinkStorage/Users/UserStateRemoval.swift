package import DeepLinkCore

/// A request to a store to delete one user's state.
package struct UserStateRemoval: Sendable {
    /// The user to delete.
    package let id: UserID

    /// The precondition of the deletion.
    package let precondition: UserStatePrecondition

    /// The time of the change.
    package let time: Timestamp

    /// The author of the change, for the history.
    package let author: String

    /// The effective time of the deletion, as stated by its author, or `nil` for the current time.
    package let asOf: Timestamp?

    /// Whether all data of the user is erased with the state.
    ///
    /// Only a digest with the last version remains.
    package let isErasure: Bool

    /// Whether the result includes the change for the audit log.
    package let isAudited: Bool

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
        self.precondition = precondition
        self.time = time
        self.author = author
        self.asOf = asOf
        self.isErasure = isErasure
        self.isAudited = isAudited
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
