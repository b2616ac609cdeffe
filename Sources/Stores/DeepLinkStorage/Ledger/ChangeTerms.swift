package import DeepLinkCore

/// The terms of a change of a record: everything except the value.
package struct ChangeTerms: Sendable {
    /// The precondition of the change.
    package var precondition = UserStatePrecondition.none

    /// The time of the change.
    package let time: Timestamp

    /// The author of the change, for the history.
    package let author: String

    /// The effective time of the change, as stated by its author, or `nil` for the current time.
    ///
    /// A change counts as of its effective time: a later change overrides it, whichever arrives first.
    package var asOf: Timestamp?
}

/// The reason why a record was not changed.
package enum ChangeRefusal<Value: Hashable & Sendable>: Error, Hashable {
    /// The precondition doesn't hold. The stored version, or `nil` if there is none.
    case versionMismatch(current: Int?)

    /// The record, or its deletion, has a later effective time than the change. The current revision, or `nil` if there
    /// is none.
    case superseded(by: Revision<Value>?)
}

/// A change of one user, as its author requests it.
protocol UserChangeRequest: Sendable {
    var id: UserID { get }
    var precondition: UserStatePrecondition { get }
    var time: Timestamp { get }
    var author: String { get }
    var asOf: Timestamp? { get }
    var isAudited: Bool { get }

    /// The request with an idempotency key, or `nil` if there is none.
    var request: KeyedRequest? { get }
}

extension UserChangeRequest {
    /// Returns the terms of the change.
    ///
    /// - Parameter present: The time of the store's clock, or `nil` if the change has its own.
    /// - Returns: The terms.
    func terms(at present: Timestamp?) -> ChangeTerms {
        ChangeTerms(precondition: precondition, time: present ?? time, author: author, asOf: asOf)
    }
}

extension UserStateWrite: UserChangeRequest {
    var request: KeyedRequest? { storing?.request }
}

extension UserStateRemoval: UserChangeRequest {
    var request: KeyedRequest? { storing?.request }
}

extension GrantWrite: UserChangeRequest {
    var request: KeyedRequest? { storing?.request }
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
