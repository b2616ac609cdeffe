package import DeepLinkCore

/// The terms of a change of a record: all but the value.
package struct ChangeTerms: Sendable {
    /// The precondition of the change.
    package let precondition: UserStatePrecondition

    /// The time of the change.
    package let time: Timestamp

    /// The author of the change, for the history.
    package let author: String

    /// The moment as of which the change counts, as its author states it; `nil` for now.
    package let asOf: Timestamp?

    /// Creates terms from their parts.
    package init(precondition: UserStatePrecondition = .none, time: Timestamp, author: String, asOf: Timestamp? = nil) {
        self.precondition = precondition
        self.time = time
        self.author = author
        self.asOf = asOf
    }
}

/// The reason why a record stays unchanged.
package enum ChangeRefusal<Value: Hashable & Sendable>: Error, Hashable {
    /// The precondition doesn't hold. The stored version; `nil` for none.
    case versionMismatch(current: Int?)

    /// The record, or its deletion, counts as of a later moment than the change. The revision that stays; `nil` for
    /// none.
    case superseded(by: Revision<Value>?)
}

extension UserStateWrite {
    /// The terms of the write.
    ///
    /// - Parameter present: The time by the store's clock; `nil` if the change brings its own.
    /// - Returns: The terms.
    func terms(at present: Timestamp?) -> ChangeTerms {
        ChangeTerms(precondition: precondition, time: present ?? time, author: author, asOf: asOf)
    }
}

extension UserStateRemoval {
    /// The terms of the deletion.
    ///
    /// - Parameter present: The time by the store's clock; `nil` if the change brings its own.
    /// - Returns: The terms.
    func terms(at present: Timestamp?) -> ChangeTerms {
        ChangeTerms(precondition: precondition, time: present ?? time, author: author, asOf: asOf)
    }
}

extension GrantWrite {
    /// The terms of the write.
    ///
    /// - Parameter present: The time by the store's clock; `nil` if the change brings its own.
    /// - Returns: The terms.
    func terms(at present: Timestamp?) -> ChangeTerms {
        ChangeTerms(precondition: precondition, time: present ?? time, author: author, asOf: asOf)
    }
}

extension UserStateWriteError {
    /// Creates the error that reports a refused change of a user, who stays as in the record.
    init(_ refusal: ChangeRefusal<UserAccess>, of id: UserID, in record: UserRecord?) {
        self =
            switch refusal {
            case .versionMismatch(let current): .versionMismatch(current: current)
            case .superseded: .superseded(by: record?.state(of: id))
            }
    }
}
