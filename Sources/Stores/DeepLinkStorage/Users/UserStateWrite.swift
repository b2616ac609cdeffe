package import DeepLinkCore

/// The replacement of one user's state, asked of a store.
package struct UserStateWrite: Sendable {
    /// The user.
    package let id: UserID

    /// The level to set.
    package let level: HeldLevel

    /// The grants in place of all that the user holds; `nil` to leave them.
    package let grants: [HeldGrant]?

    /// The state that must be there for the write to happen.
    package let precondition: UserStatePrecondition

    /// The time of the change.
    package let time: Timestamp

    /// The author of the change, for the history.
    package let author: String

    /// The moment as of which the writer says that the write counts; `nil` for now.
    package let asOf: Timestamp?

    /// Whether the result has the change for the audit log, with the user's name there.
    package let isAudited: Bool

    /// The answer to be kept with the change; `nil` for none.
    package let keeping: AnswerKeeping<SavedUserState>?

    /// Creates a request from its parts.
    package init(
        id: UserID,
        level: HeldLevel,
        grants: [HeldGrant]? = nil,
        precondition: UserStatePrecondition = .none,
        time: Timestamp,
        author: String,
        asOf: Timestamp? = nil,
        isAudited: Bool = false,
        keeping: AnswerKeeping<SavedUserState>? = nil
    ) {
        self.id = id
        self.level = level
        self.grants = grants
        self.precondition = precondition
        self.time = time
        self.author = author
        self.asOf = asOf
        self.isAudited = isAudited
        self.keeping = keeping
    }
}

/// The order of the changes of one user, by the times that their authors give.
///
/// Events may arrive late, and out of order: a change older than the stored state has no effect. A change without a time
/// of its own follows all known ones, independent of the clock. A stored time further ahead of the clock than authors may
/// give was written while a clock was ahead; it carries no order, and counts as the present (decision record 17).
package enum ChangeOrder {
    /// The most milliseconds that a moment may lie ahead of the clock: clocks differ.
    package static let maximumLead: Int64 = 300_000

    /// Finds the moment as of which a change counts.
    ///
    /// Against a stored moment that is too far ahead, a change that names a moment counts unless that is older than the
    /// present by more than clocks differ: an event of now is some milliseconds old once it arrives.
    ///
    /// - Parameters:
    ///   - asOf: the moment that its author names.
    ///   - time: when the change is made.
    ///   - last: the moment as of which the present state counts, or its deletion; `nil` for a user never set.
    /// - Returns: the moment; `nil` if the change is older than the stored state.
    package static func moment(asOf: Timestamp?, at time: Timestamp, after last: Timestamp?) -> Timestamp? {
        guard let last else { return asOf ?? time }
        let isAhead = !allows(last, at: time)
        guard let asOf else { return isAhead ? time : max(last, time) }
        let isLate = isAhead ? !allows(time, at: asOf) : asOf < last
        return isLate ? nil : asOf
    }

    /// Returns whether a moment may be named at a time: it is not too far ahead.
    package static func allows(_ moment: Timestamp, at time: Timestamp) -> Bool {
        // A stored moment may be any number; a difference that does not fit is larger than any lead.
        let (lead, isTooLarge) = moment.millisecondsSinceEpoch.subtractingReportingOverflow(time.millisecondsSinceEpoch)
        return isTooLarge ? moment < time : lead <= maximumLead
    }
}

/// An answer that is kept, so that a request which is sent again gets the same.
package struct KeptAnswer: Hashable, Sendable {
    /// The digest of the request that it answers (``RepeatableRequest/digest``).
    package let digest: [UInt8]

    /// The HTTP status, from 200 to 299.
    package let status: Int

    /// The entity tag, with its quotes; `nil` for none.
    package let tag: String?

    /// The body; empty for none.
    package let body: [UInt8]

    /// Creates an answer from its parts.
    package init(digest: [UInt8], status: Int, tag: String?, body: [UInt8]) {
        self.digest = digest
        self.status = status
        self.tag = tag
        self.body = body
    }
}

/// An answer to be kept in the same transaction as its change.
package struct AnswerKeeping<Outcome: Sendable>: Sendable {
    /// The request.
    package let request: RepeatableRequest

    /// The function that returns the answer, given the outcome of the change; `nil` if none is kept.
    package let answer: @Sendable (Outcome) -> KeptAnswer?

    /// Puts a request and its answer together.
    package init(_ request: RepeatableRequest, answer: @escaping @Sendable (Outcome) -> KeptAnswer?) {
        self.request = request
        self.answer = answer
    }
}

/// The result of a store's write.
package struct SavedUserState: Hashable, Sendable {
    /// The state as it is stored now.
    package let state: UserState

    /// Whether the user had no state before.
    package let isNew: Bool

    /// The change for the audit log; `nil` if it isn't audited, or nothing changed.
    package var audited: AuditedChange?

    /// Creates a report from its parts.
    package init(state: UserState, isNew: Bool) {
        self.state = state
        self.isNew = isNew
    }
}

/// The stored state that a change requires (RFC 9110 §13.1.1, `If-Match`, and §13.1.2, `If-None-Match`).
package enum UserStatePrecondition: Hashable, Sendable {
    /// Nothing: the change always happens.
    case none

    /// A state of any version.
    case exists

    /// A state of one of these versions.
    case version([Int])

    /// No state.
    case absent

    /// No state, or one of another version than these.
    case otherVersion([Int])

    /// Returns whether a stored version, `nil` for no state, fulfils the precondition.
    package func holds(for version: Int?) -> Bool {
        switch self {
        case .none: true
        case .exists: version != nil
        case .version(let wanted): version.map(wanted.contains) ?? false
        case .absent: version == nil
        case .otherVersion(let known): version.map { !known.contains($0) } ?? true
        }
    }
}
