package import DeepLinkCore

/// The terms of a change of a record: everything except the value.
package struct ChangeTerms: Sendable {
    /// The precondition of the change.
    package var precondition = UserStatePrecondition.none

    /// The time of the change.
    package var time: Timestamp

    /// The author of the change, for the history.
    package let author: String

    /// The effective time of the change, as stated by its author, or `nil` for the current time.
    ///
    /// A change counts as of its effective time: a later change overrides it, whichever arrives first.
    package var asOf: Timestamp?

    /// Whether the change belongs in the audit log.
    ///
    /// The result of an audited change includes what the log needs.
    package var isAudited = false

    /// Returns the terms with the time of the store's clock, or unchanged if each change has its own time.
    func dated(_ present: Timestamp?) -> ChangeTerms {
        var terms = self
        terms.time = present ?? time
        return terms
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

/// A request to a store to change one user.
protocol UserChangeRequest: Sendable {
    associatedtype Outcome: Sendable

    var id: UserID { get }
    var terms: ChangeTerms { get }
    var storing: ResponseStoring<Outcome>? { get }
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
