package import DeepLinkCore

/// A change requested of a store, which the store's ledger makes.
package struct StoreChange<Outcome>: Sendable {
    /// The rows that the change needs in the ledger.
    package let needs: StoreNeeds

    /// Makes the change in a ledger that has the rows.
    let body: @Sendable (inout WriteLedger) -> Outcome

    /// Returns the same change with another outcome.
    package func map<Other>(_ transform: @escaping @Sendable (Outcome) -> Other) -> StoreChange<Other> {
        StoreChange<Other>(needs: needs) { ledger in transform(body(&ledger)) }
    }
}

extension StoreChange {
    /// Replaces the states of users, each independently.
    package static func save(_ writes: [UserStateWrite]) -> StoreChange
    where Outcome == [Result<UserStateWriteResult, UserStateWriteError>] {
        StoreChange(needs: StoreNeeds(writes)) { ledger in
            writes.map { write in
                Result { () throws(UserStateWriteError) in try ledger.save(write) }
            }
        }
    }

    /// Changes a grant of a user.
    package static func grant(_ write: GrantWrite) -> StoreChange
    where Outcome == Result<GrantWriteResult, UserStateWriteError> {
        StoreChange(needs: StoreNeeds([write])) { ledger in
            Result { () throws(UserStateWriteError) in try ledger.save(write) }
        }
    }

    /// Deletes or erases a user.
    package static func remove(_ removal: UserStateRemoval) -> StoreChange
    where Outcome == Result<UserStateRemovalResult, UserStateWriteError> {
        var needs = StoreNeeds([removal])
        if removal.isErasure { (needs.namedUsers, needs.links.erasures) = ([removal.id], [removal.id]) }
        return StoreChange(needs: needs) { ledger in
            Result { () throws(UserStateWriteError) in try ledger.remove(removal) }
        }
    }

    /// Stores a response without another change.
    ///
    /// The outcome is the response that is stored under the key. A response that is already stored stays.
    package static func keep(_ answer: StoredResponse, to request: KeyedRequest) -> StoreChange
    where Outcome == StoredResponse {
        StoreChange(needs: StoreNeeds(requests: [request])) { ledger in ledger.keep(answer, to: request) }
    }

    /// Binds a continuation to the first user who redeems it.
    package static func bind(
        _ id: ContinuationID,
        to user: UserID,
        until end: Timestamp,
        at time: Timestamp
    ) -> StoreChange where Outcome == RedemptionState {
        StoreChange(needs: StoreNeeds(continuation: id, binding: (end, time))) { ledger in
            ledger.redemptions.bind(id, to: user, until: end, at: time)
        }
    }

    /// Spends a continuation that is bound.
    ///
    /// The outcome is whether it was unspent.
    package static func spend(_ id: ContinuationID) -> StoreChange where Outcome == Bool {
        StoreChange(needs: StoreNeeds(continuation: id)) { ledger in ledger.redemptions.spend(id) }
    }

    /// Adds a service token.
    package static func add(_ token: ServiceToken) -> StoreChange where Outcome == Void {
        StoreChange(needs: StoreNeeds()) { ledger in ledger.tokens.add(token) }
    }

    /// Revokes a service token.
    ///
    /// The outcome is whether it exists.
    package static func revoke(_ id: ServiceTokenID, at time: Timestamp) -> StoreChange where Outcome == Bool {
        StoreChange(needs: StoreNeeds(revokedToken: id)) { ledger in ledger.tokens.revoke(id, at: time) }
    }

    /// Makes or replaces short links, each independently.
    package static func saveLinks(_ drafts: [ShortLinkDraft]) -> StoreChange
    where Outcome == [Result<ShortLinkWriteResult, ShortLinkLedger.Refusal>] {
        let needs = StoreNeeds(
            size: drafts.count,
            namedUsers: drafts.filter(\.write.terms.isAudited).compactMap(\.write.contents.about),
            namedLinks: drafts.filter { $0.write.terms.isAudited && !$0.isRandom }.map(\.code),
            requests: drafts.compactMap(\.write.storing?.request),
            links: RequiredShortLinkRows(drafts)
        )
        return StoreChange(needs: needs) { ledger in
            drafts.map { draft in
                Result { () throws(ShortLinkLedger.Refusal) in try ledger.save(draft) }
            }
        }
    }

    /// Withdraws a short link.
    ///
    /// The outcome is the withdrawn link, or `nil` if there was none.
    package static func withdrawLink(_ removal: ShortLinkRemoval) -> StoreChange
    where Outcome == Result<ShortLinkWriteResult?, ShortLinkWriteError> {
        let needs = StoreNeeds(
            namedLinks: removal.terms.isAudited ? [removal.code] : [],
            requests: [removal.storing?.request].compactMap(\.self),
            links: RequiredShortLinkRows(codes: [removal.code])
        )
        return StoreChange(needs: needs) { ledger in
            Result { () throws(ShortLinkWriteError) in try ledger.withdraw(removal) }
        }
    }
}

/// The rows that a change needs in the ledger.
package struct StoreNeeds: Sendable {
    /// The approximate number of rows of users or short links that the change writes.
    package var size = 1

    /// The users whose records are needed.
    package var users: [UserID] = []

    /// The users whose audit log names are needed.
    package var namedUsers: [UserID] = []

    /// The short links with users whose audit log names are needed, in addition to ``namedUsers``.
    package var namedLinks: [ShortLinkCode] = []

    /// The requests with stored responses that are needed.
    package var requests: [KeyedRequest] = []

    /// The continuation with the redemption that is needed.
    package var continuation: ContinuationID?

    /// The end and the time of a binding of ``continuation``, which forgets continuations that have ended by then.
    package var binding: (end: Timestamp, time: Timestamp)?

    /// The service token to revoke.
    package var revokedToken: ServiceTokenID?

    /// The rows of short links that are needed.
    package var links = RequiredShortLinkRows()
}

extension StoreNeeds {
    /// Returns the rows that changes of users need.
    fileprivate init(_ changes: [some UserChangeRequest]) {
        self.init(
            size: changes.count,
            users: changes.map(\.id),
            namedUsers: changes.filter(\.terms.isAudited).map(\.id),
            requests: changes.compactMap(\.storing?.request)
        )
    }
}

/// The rows of short links that a change needs in the ledger.
package struct RequiredShortLinkRows: Sendable {
    /// The codes to read, in any case, with their links and erasures.
    ///
    /// For codes that aren't random, this includes the spelling that the server would have generated.
    package var codes: [ShortLinkCode] = []

    /// The members of ``codes`` that are not random.
    package var givenCodes: [ShortLinkCode] = []

    /// The names to read, with their links.
    package var names: [ShortLinkName] = []

    /// The labels for which the ledger must know whether they are in use.
    package var labels: [ShortLinkLabel] = []

    /// The quotas for which links are counted.
    package var quotas: [ShortLinkQuota] = []

    /// The users to erase, about whom all links are needed.
    package var erasures: [UserID] = []

    /// Whether no rows are needed.
    package var isEmpty: Bool { codes.isEmpty && names.isEmpty && erasures.isEmpty }
}

extension RequiredShortLinkRows {
    /// Returns the rows that drafts need.
    fileprivate init(_ drafts: [ShortLinkDraft]) {
        for draft in drafts {
            codes.append(draft.code)
            guard !draft.isRandom else { continue }
            givenCodes.append(draft.code)
            let spelled = draft.code.spelledByServer
            if spelled != draft.code.folded { codes.append(spelled) }
        }
        names = drafts.compactMap(\.write.naming?.name)
        labels = drafts.compactMap(\.write.contents.label)
        quotas = drafts.compactMap(\.write.quota)
    }
}

/// A store that makes every change through a ``WriteLedger``.
package protocol LedgerStore: Sendable {
    /// Makes a change. When this returns, the change survives a power failure.
    func make<Outcome: Sendable>(_ change: StoreChange<Outcome>) async throws -> Outcome
}
