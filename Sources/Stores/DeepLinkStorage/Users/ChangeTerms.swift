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

/// A request to a store to change one user.
protocol UserChangeRequest: Sendable {
    associatedtype Outcome: Sendable

    var id: UserID { get }
    var terms: ChangeTerms { get }
    var storing: ResponseStoring<Outcome>? { get }
}
