import DeepLinkCore

/// The record of a user, and the rules for its changes.
///
/// It is a ``VersionedRecord`` of the user's access, with one version for the whole user, and with an order of its own
/// for each part: a write of the level is compared with the last write of the level, a write of a grant with the last
/// write of that grant (decision record 39). The deletion of the user is a write of all parts.
package struct UserRecord: Sendable {
    /// The last version of a user, and the moment as of which it counts.
    package typealias Mark = VersionedRecord<UserAccess>.Mark

    /// The state of a user in a store.
    package enum Standing: Hashable, Sendable {
        /// Nothing was ever stored.
        case unknown

        /// The user has a state, and a history.
        case present(UserState)

        /// The user was deleted; the history remains and ends with this mark.
        case deleted(Mark)

        /// The user was erased; only this mark remains.
        case erased(Mark)
    }

    /// The most grants of a user whose moments are kept, those of former catalogs and removed ones included.
    package static let maximumGrantCount = 128

    private var record: VersionedRecord<UserAccess>

    /// The moments in the store.
    private let storedMoments: AccessMoments

    /// The moments after the changes.
    private var moments: AccessMoments

    /// The row in the store of the moments of a user without a state; `nil` for none.
    private var storedKept: KeptMoments?

    /// The time of the last change that left the moments of a user without a state.
    private var keptAt: Timestamp?

    /// Reads the record of a user into the ledger.
    package init(_ standing: Standing = .unknown) {
        switch standing {
        case .unknown: (record, moments) = (VersionedRecord(), AccessMoments())
        case .present(let state): (record, moments) = (VersionedRecord(.present(Revision(state))), state.moments)
        case .deleted(let mark):
            (record, moments) = (VersionedRecord(.deleted(mark)), AccessMoments(level: mark.asOf, grants: mark.asOf))
        case .erased(let mark):
            (record, moments) = (VersionedRecord(.erased(mark)), AccessMoments(level: mark.asOf, grants: mark.asOf))
        }
        storedMoments = moments
    }

    /// Creates a record to be written as it is, without rules or history, as for a copied database.
    package init(copying state: UserState?, changes: [UserChange] = []) {
        record = VersionedRecord(copying: state.map { Revision($0) }, changes: changes.map { RecordChange($0) })
        moments = state?.moments ?? AccessMoments()
        storedMoments = AccessMoments()
    }

    /// Reads the moments that are kept of a user without a state.
    ///
    /// Beside a state, or before a deletion that knows nothing of them, a replica of an earlier version was at work.
    package mutating func read(kept: KeptMoments) {
        (storedKept, keptAt) = (kept, kept.time)
        if record.stored == nil { moments.raise(to: kept.moments) }
    }

    // MARK: For stores

    /// The moments to be kept beside the user's history; `nil` if the user has a state, or the end of the history says
    /// the same.
    ///
    /// A dated deletion of what isn't there yet leaves them, so that an earlier write which arrives later is late.
    package var kept: KeptMoments? {
        guard record.revision == nil, let keptAt, moments != impliedMoments else { return nil }
        return KeptMoments(moments, at: keptAt)
    }

    /// Whether the store keeps moments of the user.
    package var hasStoredKept: Bool { storedKept != nil }

    /// Whether the kept moments aren't as the store has them.
    package var hasNewKeptMoments: Bool { kept?.moments != storedKept?.moments }

    /// The moments of a user without a state, by the end of the history or the mark of an erasure.
    private var impliedMoments: AccessMoments {
        record.last.map { AccessMoments(level: $0.asOf, grants: $0.asOf) } ?? AccessMoments()
    }

    /// The last version; `nil` for a user who was never stored.
    package var last: Mark? { record.last }

    /// The level and the grants after the changes; `nil` for a user without a state.
    package var access: UserAccess? { record.revision?.value }

    /// Whether the store has a state of the user.
    package var isStored: Bool { record.stored != nil }

    /// Whether everything stored of the user is to be deleted before new rows are written.
    package var isErased: Bool { record.isErased }

    /// Whether the record differs from the stored one.
    package var isChanged: Bool { record.isChanged || hasNewState }

    /// Whether further versions of the user can be counted; if they can't, the stored version is damage.
    package var hasNextVersions: Bool { record.hasNextVersions }

    /// Whether the store has rows of the user to write, or to forget.
    package var hasRows: Bool { isErased || isChanged || hasNewKeptMoments }

    /// Whether the state of the user isn't as the store has it.
    package var hasNewState: Bool {
        record.revision != record.stored || record.revision != nil && moments != storedMoments
    }

    /// The changes to be added to the history of the user.
    package var changes: [UserChange] { record.changes.map(\.userChange) }

    /// The out-of-order moments met by the changes.
    var irregularities: [OrderIrregularity] { record.irregularities }

    /// Returns the state of the user after the changes; `nil` for none.
    package func state(of id: UserID) -> UserState? {
        record.revision.map { revision in
            UserState(
                id: id,
                access: revision.value,
                version: revision.version,
                updatedAt: revision.updatedAt,
                moments: moments
            )
        }
    }

    /// Returns the number of the oldest stored rows of the user's history that the limits may drop; `nil` for none.
    package func prunedChangeCount(by limits: UserHistoryLimits) -> Int? { record.prunedCount(by: limits) }

    /// Returns the version up to which history rows are dropped once the new ones are written; `nil` for none.
    ///
    /// - Parameters:
    ///   - oldest: The oldest stored rows, in the order of their versions, ``prunedChangeCount(by:)`` at most.
    ///   - limits: The bounds of the history.
    /// - Returns: The last version to drop.
    package func end(oldest: [UserChange], limits: UserHistoryLimits) -> Int? {
        record.end(oldest: oldest.map { RecordChange($0) }, limits: limits)
    }

    /// Drops the rows beyond the limits from a history that is only in the ledger, as in a store in memory.
    package mutating func prune(_ limits: UserHistoryLimits) { record.prune(limits) }

    // MARK: Changes

    /// Sets the level, and if there are grants, these in place of all.
    ///
    /// - Returns: Whether no level was written before.
    mutating func set(
        _ level: HeldLevel,
        grants: [HeldGrant]?,
        on terms: ChangeTerms
    ) throws(ChangeRefusal<UserAccess>) -> Bool {
        let former = access
        try check(terms.precondition, isThere: former != nil, isAbsent: former?.level == nil)
        var (access, moments) = (former ?? UserAccess(level: nil), moments)
        let ofLevel = record.order(asOf: terms.asOf, at: terms.time, after: moments.level)
        if let ofLevel {
            access.level = level
            moments.level = ofLevel
        }
        let ofGrants = grants.flatMap { replaceGrants(by: $0, on: terms, in: &access, &moments) }
        guard let moment = [ofLevel, ofGrants].compactMap(\.self).max() else { throw .superseded(by: record.revision) }
        put(access, moments, on: terms, asOf: moment)
        return former?.level == nil
    }

    /// Changes a grant, given its name and then its former ones.
    ///
    /// A dated removal keeps its moment, also where the user doesn't hold the grant.
    ///
    /// - Returns: Whether the user held the grant before.
    mutating func set(
        _ change: GrantWrite.Change,
        of names: [GrantName],
        on terms: ChangeTerms
    ) throws(ChangeRefusal<UserAccess>) -> Bool {
        let former = access
        let wasHeld = names.contains { former?.holds($0, at: terms.time) ?? false }
        try check(terms.precondition, isThere: wasHeld, isAbsent: !wasHeld)
        let last = names.compactMap(moments.moment).max()
        guard let moment = record.order(asOf: terms.asOf, at: terms.time, after: last) else {
            throw .superseded(by: record.revision)
        }
        if change == .remove, !wasHeld, terms.asOf == nil { return false }
        var (access, moments) = (former ?? UserAccess(level: nil), moments)
        for name in names {
            access.drop(name)
            if name == names.first || moments.each[name] != nil { moments.set(moment, of: name) }
        }
        if change == .remove, former == nil {
            keep(moments, at: terms.time)
            return false
        }
        if case .hold(let end) = change, let name = names.first {
            let grant = HeldGrant(name, validUntil: end)
            if grant.isHeld(at: terms.time) { access.hold(grant) }
        }
        put(access, moments, on: terms, asOf: moment)
        return wasHeld
    }

    /// Deletes the user; the versions continue afterwards.
    ///
    /// Parts of a later moment than the deletion's own stay: the level, and grants with or without it. A dated deletion
    /// keeps its moment, also where there is nothing to delete.
    ///
    /// - Returns: Whether the user had a state.
    mutating func remove(on terms: ChangeTerms) throws(ChangeRefusal<UserAccess>) -> Bool {
        let former = access
        try check(terms.precondition, isThere: former != nil, isAbsent: former == nil)
        if former == nil, terms.asOf == nil { return false }
        var (access, moments) = (former ?? UserAccess(level: nil), moments)
        // Without a moment of its own, a deletion follows all parts.
        let last = terms.asOf == nil ? moments.latest : moments.level
        let ofLevel = record.order(asOf: terms.asOf, at: terms.time, after: last)
        if let ofLevel {
            access.level = nil
            moments.level = ofLevel
        }
        let ofGrants = replaceGrants(by: [], on: terms, in: &access, &moments)
        guard let moment = [ofLevel, ofGrants].compactMap(\.self).max() else {
            throw .superseded(by: record.revision)
        }
        guard let former else {
            keep(moments, at: terms.time)
            return false
        }
        guard let ofLevel, access.grants.isEmpty else {
            put(access, moments, on: terms, asOf: moment)
            guard access != former else { throw .superseded(by: record.revision) }
            return true
        }
        record.drop(on: terms, asOf: ofLevel)
        keep(terms.asOf == nil ? impliedMoments : moments, at: terms.time)
        return true
    }

    /// Deletes the user and the history, except for the last version and its moment; a change without a moment of its
    /// own follows that moment (decision record 17).
    ///
    /// - Returns: Whether there was a state, a history, or a kept moment.
    mutating func erase(on terms: ChangeTerms) throws(ChangeRefusal<UserAccess>) -> Bool {
        try check(terms.precondition, isThere: access != nil, isAbsent: access == nil)
        let hadMoments = kept != nil
        let moment = record.moment(ofErasureAt: terms.time, after: moments.latest)
        let wasThere = record.forget(asOf: moment)
        moments = impliedMoments
        return wasThere || hadMoments
    }

    // MARK: Rules

    private func check(
        _ precondition: UserStatePrecondition,
        isThere: Bool,
        isAbsent: Bool
    ) throws(ChangeRefusal<UserAccess>) {
        let version = record.revision?.version
        let holds =
            switch precondition {
            case .exists: isThere
            case .absent: isAbsent
            case .none, .version, .otherVersion: precondition.holds(for: version)
            }
        guard holds else { throw .versionMismatch(current: version) }
    }

    /// Replaces all grants but those of a later moment.
    ///
    /// - Returns: The latest moment as of which any of them counts; `nil` if all are too late.
    private mutating func replaceGrants(
        by new: [HeldGrant],
        on terms: ChangeTerms,
        in access: inout UserAccess,
        _ moments: inout AccessMoments
    ) -> Timestamp? {
        var latest: Timestamp?
        let held = new.filter { $0.isHeld(at: terms.time) }
        for name in Set(access.grants.map(\.name) + held.map(\.name) + moments.each.keys) {
            guard let moment = record.order(asOf: terms.asOf, at: terms.time, after: moments.moment(of: name)) else {
                continue
            }
            access.drop(name)
            if let grant = held.last(where: { $0.name == name }) { access.hold(grant) }
            moments.set(moment, of: name)
            latest = max(latest ?? moment, moment)
        }
        if let moment = record.order(asOf: terms.asOf, at: terms.time, after: moments.grants) {
            moments.setAll(moment)
            latest = max(latest ?? moment, moment)
        }
        return latest
    }

    /// Takes on new parts as of a moment.
    ///
    /// Grants that have ended go with the next version, and make none themselves.
    private mutating func put(
        _ access: UserAccess,
        _ moments: AccessMoments,
        on terms: ChangeTerms,
        asOf moment: Timestamp
    ) {
        var (access, moments) = (access, moments)
        let former = self.access
        if access != former {
            access.dropEnded(at: terms.time)
            if let former, access == former.droppingEnded(at: terms.time) { access = former }
        }
        Self.bound(&access, &moments)
        self.moments = moments
        record.put(access, on: terms, asOf: moment)
    }

    /// Takes on the moments of a user without a state.
    private mutating func keep(_ moments: AccessMoments, at time: Timestamp) {
        keptAt = time
        var (access, moments) = (UserAccess(level: nil), moments)
        Self.bound(&access, &moments)
        self.moments = moments
    }

    /// Bounds the number of grants: of too many, those written first are dropped, and then the moments of removed ones,
    /// which count as that of all grants.
    private static func bound(_ access: inout UserAccess, _ moments: inout AccessMoments) {
        while access.grants.count > maximumGrantCount {
            guard let first = access.grants.map(\.name).min(by: { moments.isEarlier($0, than: $1) }) else { return }
            access.drop(first)
        }
        while moments.each.count > maximumGrantCount {
            let removed = moments.each.filter { name, _ in !access.grants.contains { $0.name == name } }
            guard let first = removed.values.min() else { return }
            moments.setAll(max(first, moments.grants ?? first))
        }
    }
}

extension AccessMoments {
    /// Returns whether the last write of a grant is earlier than that of another.
    fileprivate func isEarlier(_ left: GrantName, than right: GrantName) -> Bool {
        switch (moment(of: left), moment(of: right)) {
        case (let left?, let right?): left < right
        case (nil, .some): true
        case (_, nil): false
        }
    }
}
