package import DeepLinkCore

/// The deletion of one user's state, asked of a store.
package struct UserStateRemoval: Sendable {
    /// The user.
    package let id: UserID

    /// The state that must be there for the deletion to happen.
    package let precondition: UserStatePrecondition

    /// The time of the change.
    package let time: Timestamp

    /// The author of the change, for the history.
    package let author: String

    /// The time as of which the caller states that there is no state; `nil` for now.
    package let asOf: Timestamp?

    /// Whether all that is kept of the user is forgotten with the state, but for a digest with the last version.
    package let isErasure: Bool

    /// Whether the result has the change for the audit log, with the user's name there.
    package let isAudited: Bool

    /// The answer to be kept with a deletion; `nil` for none, and an erasure keeps none.
    package let keeping: AnswerKeeping<Void>?

    /// Creates a request from its parts.
    package init(
        id: UserID,
        precondition: UserStatePrecondition = .none,
        time: Timestamp,
        author: String,
        asOf: Timestamp? = nil,
        isErasure: Bool = false,
        isAudited: Bool = false,
        keeping: AnswerKeeping<Void>? = nil
    ) {
        self.id = id
        self.precondition = precondition
        self.time = time
        self.author = author
        self.asOf = asOf
        self.isErasure = isErasure
        self.isAudited = isAudited
        self.keeping = keeping
    }
}

/// The result of a store's deletion.
package struct RemovedUserState: Hashable, Sendable {
    /// Whether there was a state; for an erasure, or a history.
    package let wasThere: Bool

    /// The change for the audit log; `nil` if it isn't audited, or nothing changed.
    package let audited: AuditedChange?

    /// Creates a report from its parts.
    package init(wasThere: Bool, audited: AuditedChange? = nil) {
        self.wasThere = wasThere
        self.audited = audited
    }
}
