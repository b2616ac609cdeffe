package import DeepLinkCore

/// The rows that a transaction has read, and the outcomes of its changes in sequence.
///
/// It alone defines the effect of a write on a user, its history, its stored response and a continuation. Every store
/// reads the rows of a change into a ledger (``StoreChange/needs``), applies the change, and
/// writes the ledger's result. SQLite does so change by change. PostgreSQL does so for many changes in one transaction,
/// which takes two round trips for any number of them (decision record 19). A store in memory keeps one ledger. Changes
/// applied to one ledger have the same outcomes as in transactions of their own.
///
/// Users have a separate order for each part (``UserRecord``). Short links have a ledger of their own
/// (``ShortLinkLedger``). Another kind of record takes a further dictionary of ``VersionedRecord``, and a change
/// of its own (``StoreChange``).
package struct WriteLedger: Sendable {
    /// The current time of the store's clock, read once all rows are locked, or `nil` if each change has its own time.
    package var present: Timestamp?

    /// The users.
    ///
    /// Each user that a change concerns is present.
    package var users: [UserID: UserRecord] = [:]

    /// The stored responses.
    package var answers = ResponseLedger()

    /// The redemptions of continuations.
    package var redemptions = RedemptionLedger()

    /// The service tokens.
    package var tokens = TokenLedger()

    /// The short links that the changes concern.
    package var shortLinks = ShortLinkLedger()

    /// The names of users in the audit log.
    package var auditNames = AuditNameLedger()

    /// Creates an empty ledger.
    package init() {}

    /// The irregularities in the order of the changes.
    package private(set) var irregularities: [OrderIrregularity] = []

    /// The users with changed access.
    package var levels: [UserLevelChange] {
        users.compactMap { id, user in
            guard user.isChanged else { return nil }
            return UserLevelChange(user: id, access: user.access, version: user.last?.version ?? 0)
        }
    }

    /// Applies a change, after the changes before it.
    package mutating func apply<Outcome>(_ change: StoreChange<Outcome>) -> Outcome { change.body(&self) }

    mutating func save(_ write: UserStateWrite) throws(UserStateWriteError) -> UserStateWriteResult {
        try answers.requireNone(to: write.storing?.request)
        let terms = write.terms.dated(present)
        let former = users[write.id]?.access
        var saved = try change(write.id) { user throws(ChangeRefusal<UserAccess>) in
            let isNew = try user.set(write.level, grants: write.grants, on: terms)
            guard let state = user.state(of: write.id) else { throw .superseded(by: nil) }
            return UserStateWriteResult(state: state, isNew: isNew)
        }
        if terms.isAudited { saved.audited = audited(write.id, from: former) }
        answers.keep(write.storing, after: saved)
        return saved
    }

    mutating func save(_ write: GrantWrite) throws(UserStateWriteError) -> GrantWriteResult {
        try answers.requireNone(to: write.storing?.request)
        let terms = write.terms.dated(present)
        let former = users[write.id]?.access
        var saved = try change(write.id) { user throws(ChangeRefusal<UserAccess>) in
            let wasHeld = try user.set(write.change, of: [write.name] + write.formerNames, on: terms)
            return GrantWriteResult(
                state: user.state(of: write.id),
                wasHeld: wasHeld,
                isHeld: user.access?.holds(write.name, at: terms.time) ?? false
            )
        }
        if terms.isAudited { saved.audited = audited(write.id, from: former) }
        if write.change != .remove || saved.wasHeld { answers.keep(write.storing, after: saved) }
        return saved
    }

    mutating func remove(_ removal: UserStateRemoval) throws(UserStateWriteError) -> UserStateRemovalResult {
        try answers.requireNone(to: removal.storing?.request)
        let terms = removal.terms.dated(present)
        let former = users[removal.id]?.access
        if removal.isErasure {
            let wasThere = try change(removal.id) { user throws(ChangeRefusal<UserAccess>) in
                try user.erase(on: terms)
            }
            answers.erase(removal.id)
            redemptions.erase(removal.id)
            let hadLinks = shortLinks.erase(about: removal.id)
            let name = auditNames.forget(removal.id)
            let isChange = wasThere || hadLinks
            return UserStateRemovalResult(
                wasThere: isChange,
                audited: terms.isAudited && isChange ? AuditedChange(user: name, before: former, after: nil) : nil
            )
        }
        let wasThere = try change(removal.id) { user throws(ChangeRefusal<UserAccess>) in
            try user.remove(on: terms)
        }
        if wasThere { answers.keep(removal.storing, after: ()) }
        return UserStateRemovalResult(
            wasThere: wasThere,
            audited: terms.isAudited ? audited(removal.id, from: former) : nil
        )
    }

    /// Returns the change of a user for the audit log, with the user's name there, or `nil` if nothing changed.
    private mutating func audited(_ id: UserID, from former: UserAccess?) -> AuditedChange? {
        let access = users[id]?.access
        return access == former ? nil : AuditedChange(user: auditNames.name(of: id), before: former, after: access)
    }

    mutating func save(_ draft: ShortLinkDraft) throws(ShortLinkLedger.Refusal) -> ShortLinkWriteResult {
        if let answer = draft.write.storing.flatMap({ answers.answer(to: $0.request) }) {
            throw .refused(.answered(answer))
        }
        var saved = try shortLinks.save(draft, at: present ?? draft.write.terms.time)
        if draft.write.terms.isAudited { nameUsers(of: &saved) }
        answers.keep(draft.write.storing, after: saved)
        return saved
    }

    mutating func withdraw(_ removal: ShortLinkRemoval) throws(ShortLinkWriteError) -> ShortLinkWriteResult? {
        if let answer = removal.storing.flatMap({ answers.answer(to: $0.request) }) { throw .answered(answer) }
        guard var withdrawn = try shortLinks.withdraw(removal, at: present ?? removal.terms.time) else { return nil }
        if removal.terms.isAudited { nameUsers(of: &withdrawn) }
        answers.keep(removal.storing, after: ())
        return withdrawn
    }

    /// Sets the audit log names of the users whom a changed link is or was about.
    private mutating func nameUsers(of saved: inout ShortLinkWriteResult) {
        guard saved.effect == .made || saved.effect == .replaced else { return }
        for user in [saved.former, saved.link].compactMap(\.?.contents.about) {
            saved.auditNames[user] = auditNames.name(of: user)
        }
    }

    /// Stores a response without another change.
    ///
    /// A response that is already stored stays.
    mutating func keep(_ answer: StoredResponse, to request: KeyedRequest) -> StoredResponse {
        if let former = answers.answer(to: request) { return former }
        answers.keep(answer, to: request)
        return answer
    }

    private mutating func change<Outcome>(
        _ id: UserID,
        body: (inout UserRecord) throws(ChangeRefusal<UserAccess>) -> Outcome
    ) throws(UserStateWriteError) -> Outcome {
        do {
            return try Self.change(&users[id, default: UserRecord()], noting: &irregularities, body: body)
        } catch {
            throw UserStateWriteError(error, of: id, in: users[id])
        }
    }

    /// Changes a record, and collects its irregularities.
    ///
    /// Few changes have any, so they aren't searched for in all users.
    private static func change<Outcome>(
        _ user: inout UserRecord,
        noting irregularities: inout [OrderIrregularity],
        body: (inout UserRecord) throws(ChangeRefusal<UserAccess>) -> Outcome
    ) throws(ChangeRefusal<UserAccess>) -> Outcome {
        let knownCount = user.irregularities.count
        defer {
            if user.irregularities.count > knownCount { irregularities += user.irregularities[knownCount...] }
        }
        return try body(&user)
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

/// An irregularity in the order of changes, reported to operators.
package enum OrderIrregularity: Hashable, Sendable {
    /// A stored effective time too far ahead of the clock. It counts as the current time (`ChangeOrder`).
    case ahead(stored: Timestamp, now: Timestamp)

    /// A dated change that was left out, since the stored record has a later effective time.
    case late(asOf: Timestamp, stored: Timestamp)
}

/// The part of a change that affects the authorization of a user's requests.
package struct UserLevelChange: Sendable {
    /// The user with the changed access.
    package let user: UserID

    /// The new level and grants, or `nil` if the user no longer has a state.
    package let access: UserAccess?

    /// The new version of the user, or 0 if it isn't needed.
    package let version: Int

    /// Creates a change.
    package init(user: UserID, access: UserAccess?, version: Int = 0) {
        self.user = user
        self.access = access
        self.version = version
    }
}

/// The service tokens that a transaction adds and revokes.
package struct TokenLedger: Sendable {
    /// The tokens in the store, with the times of their revocation.
    private var known: [ServiceTokenID: Timestamp?] = [:]

    /// The tokens to add.
    package private(set) var new: [ServiceToken] = []

    /// The tokens to revoke, with the times.
    package private(set) var revocations: [(id: ServiceTokenID, time: Timestamp)] = []

    /// Adds a stored token to the ledger.
    package mutating func read(_ id: ServiceTokenID, revoked: Timestamp?) { known[id] = .some(revoked) }

    /// Adds a token.
    mutating func add(_ token: ServiceToken) { new.append(token) }

    /// Revokes a token.
    ///
    /// A token that was revoked before keeps its time.
    ///
    /// - Returns: Whether the token exists.
    mutating func revoke(_ id: ServiceTokenID, at time: Timestamp) -> Bool {
        guard let revoked = known[id] else { return false }
        if revoked == nil {
            revocations.append((id, time))
            known[id] = .some(time)
        }
        return true
    }
}

/// The stored responses to requests with an idempotency key.
///
/// A response is stored in the transaction of the change that it reports. A request that is sent again gets that
/// response, or nothing has changed yet (decision record 17). The response is looked up before anything else, even a
/// precondition, and stored for `KeyedRequest.lifetime`.
package struct ResponseLedger: Sendable {
    /// A response with the request that it is stored for.
    package struct Entry: Sendable {
        /// The request, with its idempotency key.
        package let request: KeyedRequest

        /// The response to return if the request is retried.
        package let answer: StoredResponse

        /// Whether the response is not in the store yet.
        package let isNew: Bool
    }

    private var entries: [[ByteText]: Entry] = [:]

    /// The responses to write.
    package var new: [Entry] { entries.values.filter(\.isNew) }

    /// Adds a stored response to the ledger.
    package mutating func read(_ answer: StoredResponse, to request: KeyedRequest) {
        entries[request.name] = Entry(request: request, answer: answer, isNew: false)
    }

    /// Returns the response that is stored under the key of a request, or `nil` if there is none or it has expired.
    package func answer(to request: KeyedRequest) -> StoredResponse? {
        // Usually there are no entries, and then no name is built.
        guard !entries.isEmpty, let kept = entries[request.name], kept.request.time >= request.horizon else {
            return nil
        }
        return kept.answer
    }

    /// Checks that a request has no stored response.
    ///
    /// - Throws: `UserStateWriteError.answered`.
    func requireNone(to request: KeyedRequest?) throws(UserStateWriteError) {
        guard let request, let answer = answer(to: request) else { return }
        throw .answered(answer)
    }

    /// Stores a response under the key of a request, replacing an expired one.
    package mutating func keep(_ answer: StoredResponse, to request: KeyedRequest) {
        entries[request.name] = Entry(request: request, answer: answer, isNew: true)
    }

    /// Stores the response to a change, if the change asks for it.
    mutating func keep<Outcome>(_ storing: ResponseStoring<Outcome>?, after outcome: Outcome) {
        guard let storing, let answer = storing.answer(outcome) else { return }
        keep(answer, to: storing.request)
    }

    /// Deletes the responses that concern a user.
    mutating func erase(_ user: UserID) {
        entries = entries.filter { $0.value.request.user != user }
    }
}

/// The audit log names of users that a transaction reads, creates and deletes.
package struct AuditNameLedger: Sendable {
    private var names: [UserID: AuditName] = [:]

    /// The names to add.
    package private(set) var new: [UserID: AuditName] = [:]

    /// The users with a stored name to delete before the new ones are added.
    package private(set) var forgotten: Set<UserID> = []

    /// Adds a stored name to the ledger.
    package mutating func read(_ name: AuditName, of id: UserID) { names[id] = name }

    /// Adds a name to write unchanged, as for a copied database.
    package mutating func copy(_ name: AuditName, of id: UserID) {
        names[id] = name
        new[id] = name
    }

    /// Returns the name of a user, or `nil` if there is none.
    package func existing(of id: UserID) -> AuditName? { names[id] }

    /// Returns the users with the given names.
    package func users(named wanted: Set<AuditName>) -> [AuditName: UserID] {
        Dictionary(names.filter { wanted.contains($0.value) }.map { ($0.value, $0.key) }) { first, _ in first }
    }

    /// Returns the name of a user, and generates one if there is none.
    mutating func name(of id: UserID) -> AuditName {
        if let name = names[id] { return name }
        let name = AuditName()
        copy(name, of: id)
        return name
    }

    /// Deletes the name of an erased user.
    ///
    /// - Returns: The name for the user's last log line: the existing one, or a new one.
    mutating func forget(_ id: UserID) -> AuditName {
        new[id] = nil
        forgotten.insert(id)
        return names.removeValue(forKey: id) ?? AuditName()
    }
}
