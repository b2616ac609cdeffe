package import DeepLinkCore

/// The terms of a change of a record: everything except the value.
package struct ChangeTerms: Sendable {
    /// The precondition of the change.
    package let precondition: UserStatePrecondition

    /// The time of the change.
    package let time: Timestamp

    /// The author of the change, for the history.
    package let author: String

    /// The effective time of the change, as stated by its author, or `nil` for the current time.
    ///
    /// A change counts as of its effective time: a later change overrides it, whichever arrives first.
    package let asOf: Timestamp?

    /// Creates terms.
    package init(precondition: UserStatePrecondition = .none, time: Timestamp, author: String, asOf: Timestamp? = nil) {
        self.precondition = precondition
        self.time = time
        self.author = author
        self.asOf = asOf
    }
}

/// The reason why a record was not changed.
package enum ChangeRefusal<Value: Hashable & Sendable>: Error, Hashable {
    /// The precondition doesn't hold. The stored version, or `nil` if there is none.
    case versionMismatch(current: Int?)

    /// The record, or its deletion, has a later effective time than the change. The current revision, or `nil` if there
    /// is none.
    case superseded(by: Revision<Value>?)
}

extension UserStateWrite {
    /// Returns the terms of the write.
    ///
    /// - Parameter present: The time of the store's clock, or `nil` if the change has its own.
    /// - Returns: The terms.
    func terms(at present: Timestamp?) -> ChangeTerms {
        ChangeTerms(precondition: precondition, time: present ?? time, author: author, asOf: asOf)
    }
}

extension UserStateRemoval {
    /// Returns the terms of the deletion.
    ///
    /// - Parameter present: The time of the store's clock, or `nil` if the change has its own.
    /// - Returns: The terms.
    func terms(at present: Timestamp?) -> ChangeTerms {
        ChangeTerms(precondition: precondition, time: present ?? time, author: author, asOf: asOf)
    }
}

extension GrantWrite {
    /// Returns the terms of the write.
    ///
    /// - Parameter present: The time of the store's clock, or `nil` if the change has its own.
    /// - Returns: The terms.
    func terms(at present: Timestamp?) -> ChangeTerms {
        ChangeTerms(precondition: precondition, time: present ?? time, author: author, asOf: asOf)
    }
}

extension UserStateWriteError {
    /// Creates the error for a refused change of a user, with the user's unchanged record.
    init(_ refusal: ChangeRefusal<UserAccess>, of id: UserID, in record: UserRecord?) {
        self =
            switch refusal {
            case .versionMismatch(let current): .versionMismatch(current: current)
            case .superseded: .superseded(by: record?.state(of: id))
            }
    }
}
