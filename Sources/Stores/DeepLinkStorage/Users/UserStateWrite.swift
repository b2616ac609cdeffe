package import DeepLinkCore

/// A request to a store to replace one user's state.
package struct UserStateWrite: UserChangeRequest {
    /// The user to write.
    package let id: UserID

    /// The level to set.
    package let level: LevelAssignment

    /// The grants that replace all grants of the user, or `nil` to leave them unchanged.
    package let grants: [GrantAssignment]?

    /// The terms of the write.
    package let terms: ChangeTerms

    /// The response to store with the change, or `nil` to store none.
    package let storing: ResponseStoring<UserStateWriteResult>?

    /// Creates a request.
    package init(
        id: UserID,
        level: LevelAssignment,
        grants: [GrantAssignment]? = nil,
        precondition: UserStatePrecondition = .none,
        time: Timestamp,
        author: String,
        asOf: Timestamp? = nil,
        isAudited: Bool = false,
        storing: ResponseStoring<UserStateWriteResult>? = nil
    ) {
        self.id = id
        self.level = level
        self.grants = grants
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

/// The order of the changes of one user, by their effective times.
///
/// Events may arrive late and out of order. A change with an earlier effective time than the stored state changes
/// nothing. A change without one follows all known changes, independent of the clock. A stored time further ahead of
/// the clock than authors may state was written while a clock was ahead. It is ignored for the order, and counts as the
/// current time (decision record 17).
package enum ChangeOrder {
    /// The maximum time that an effective time may be ahead of the clock, in milliseconds, since clocks differ.
    package static let maximumLead: Int64 = 300_000

    /// Returns the effective time of a change.
    ///
    /// If the stored effective time is too far ahead, a dated change counts unless it is older than the current time by
    /// more than clocks differ: an event that happens now is some milliseconds old once it arrives.
    ///
    /// - Parameters:
    ///   - asOf: The effective time as stated by the author.
    ///   - time: The time of the change.
    ///   - last: The effective time of the current state or its deletion, or `nil` if the user was never stored.
    /// - Returns: The effective time, or `nil` if the change is older than the stored state.
    package static func effectiveTime(asOf: Timestamp?, at time: Timestamp, after last: Timestamp?) -> Timestamp? {
        guard let last else { return asOf ?? time }
        let isAhead = !allows(last, at: time)
        guard let asOf else { return isAhead ? time : max(last, time) }
        let isLate = isAhead ? !allows(time, at: asOf) : asOf < last
        return isLate ? nil : asOf
    }

    /// Returns whether a change at a time may have an effective time: it must not be too far ahead.
    package static func allows(_ effectiveTime: Timestamp, at time: Timestamp) -> Bool {
        // A stored time may be any number. A difference that overflows is larger than any lead.
        let (lead, isTooLarge) = effectiveTime.millisecondsSinceEpoch.subtractingReportingOverflow(
            time.millisecondsSinceEpoch
        )
        return isTooLarge ? effectiveTime < time : lead <= maximumLead
    }
}

/// A stored response, returned when the request is retried.
package struct StoredResponse: Hashable, Sendable {
    /// The digest of the request that was answered (``KeyedRequest/digest``).
    package let digest: [UInt8]

    /// The HTTP status, from 200 to 299.
    package let status: Int

    /// The entity tag with its quotes, or `nil` if there is none.
    package let tag: String?

    /// The body, which may be empty.
    package let body: [UInt8]

    /// Creates a response.
    package init(digest: [UInt8], status: Int, tag: String?, body: [UInt8]) {
        self.digest = digest
        self.status = status
        self.tag = tag
        self.body = body
    }
}

/// A response to store in the same transaction as its change.
package struct ResponseStoring<Outcome: Sendable>: Sendable {
    /// The request, with its idempotency key.
    package let request: KeyedRequest

    /// Returns the response for the outcome of the change, or `nil` to store none.
    package let answer: @Sendable (Outcome) -> StoredResponse?

    /// Creates the pair of a request and the function for its response.
    package init(_ request: KeyedRequest, answer: @escaping @Sendable (Outcome) -> StoredResponse?) {
        self.request = request
        self.answer = answer
    }
}

/// The result of a store's write.
package struct UserStateWriteResult: Hashable, Sendable {
    /// The state as it is stored now.
    package let state: UserState

    /// Whether the user had no state before.
    package let isNew: Bool

    /// The change for the audit log, or `nil` if it isn't audited or nothing changed.
    package var audited: AuditedChange?
}

/// The reason why a store refused to change a state.
///
/// None of them is a failure of the store.
package enum UserStateWriteError: Error, Hashable, Sendable {
    /// The precondition does not hold. The stored version, or `nil` if there is no state.
    case versionMismatch(current: Int?)

    /// The state, or its deletion, has a later effective time than the change. The current state, or `nil` if there is
    /// none.
    case superseded(by: UserState?)

    /// A request with the same idempotency key already has a response.
    case answered(StoredResponse)
}

/// The stored state that a change requires (RFC 9110 §13.1.1, `If-Match`, and §13.1.2, `If-None-Match`).
package enum UserStatePrecondition: Hashable, Sendable {
    /// Always holds.
    case none

    /// Holds for a state of any version.
    case exists

    /// Holds for a state of one of these versions.
    case version([Int])

    /// Holds if the user lacks a state.
    case absent

    /// Holds unless the state has one of these versions.
    case otherVersion([Int])

    /// Returns whether the precondition holds for a stored version, or for `nil` if nothing is stored.
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

/// A request that can be retried safely, with an idempotency key from its client (`Idempotency-Key`).
package struct KeyedRequest: Hashable, Sendable {
    /// The time for which a response is stored, in milliseconds: 24 hours.
    package static let lifetime: Int64 = 86_400_000

    /// The number of bytes of ``digest``, which is a SHA-256 digest.
    package static let digestByteCount = 32

    /// The caller.
    ///
    /// Keys of different callers are independent.
    package let caller: String

    /// The HTTP method of the request.
    package let method: String

    /// The path of the request's target.
    package let path: String

    /// The idempotency key.
    package let key: String

    /// A digest of everything else that distinguishes this request from others, mainly its body.
    package let digest: [UInt8]

    /// The user whom the request concerns.
    package let user: UserID

    /// The time at which the request arrived.
    package let time: Timestamp

    /// Creates a request.
    package init(
        caller: String,
        method: String,
        path: String,
        key: String,
        digest: [UInt8],
        user: UserID,
        time: Timestamp
    ) {
        self.caller = caller
        self.method = method
        self.path = path
        self.key = key
        self.digest = digest
        self.user = user
        self.time = time
    }

    /// The name under which the response is stored: caller, method, path and key.
    package var name: [ByteText] { [caller, method, path, key].map(\.bytewise) }

    /// The time before which stored responses have expired.
    package var horizon: Timestamp { Timestamp(millisecondsSinceEpoch: time.millisecondsSinceEpoch - Self.lifetime) }

    package static func == (left: KeyedRequest, right: KeyedRequest) -> Bool {
        left.name == right.name && left.digest == right.digest && left.user == right.user && left.time == right.time
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

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
