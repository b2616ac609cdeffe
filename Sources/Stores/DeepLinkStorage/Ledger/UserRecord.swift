import DeepLinkCore

/// The record of a user, and the rules for its changes.
///
/// It is a ``VersionedRecord`` of the user's access, with one version for the whole user, and a separate order for each
/// part. A write of the level is compared with the last write of the level, and a write of a grant with the last write
/// of that grant (decision record 39). The deletion of the user is a write of all parts.
package struct UserRecord: Sendable {
    /// The last version of a user, and its effective time.
    package typealias Mark = VersionedRecord<UserAccess>.Mark

    /// The state of a user in a store.
    package enum StoredState: Hashable, Sendable {
        /// Nothing was ever stored.
        case unknown

        /// The user has a state, and a history.
        case present(UserState)

        /// The user was deleted. The history remains and ends with this mark.
        case deleted(Mark)

        /// The user was erased. Only this mark remains.
        case erased(Mark)
    }

    /// The maximum number of grants of a user with stored effective times, including removed grants and grants of
    /// former catalogs.
    package static let maximumGrantCount = 128

    private var record: VersionedRecord<UserAccess>

    /// The effective times in the store.
    private let storedTimestamps: AccessTimestamps

    /// The effective times after the changes.
    private var timestamps: AccessTimestamps

    /// The stored row of effective times of a user without a state, or `nil` if there is none.
    private var storedKept: StoredTimestamps?

    /// The time of the last change that left effective times of a user without a state.
    private var keptAt: Timestamp?

    /// Creates the record of a user with a stored state.
    package init(_ storedState: StoredState = .unknown) {
        switch storedState {
        case .unknown: (record, timestamps) = (VersionedRecord(), AccessTimestamps())
        case .present(let state): (record, timestamps) = (VersionedRecord(.present(Revision(state))), state.timestamps)
        case .deleted(let mark):
            (record, timestamps) = (
                VersionedRecord(.deleted(mark)), AccessTimestamps(level: mark.asOf, grants: mark.asOf)
            )
        case .erased(let mark):
            (record, timestamps) = (
                VersionedRecord(.erased(mark)), AccessTimestamps(level: mark.asOf, grants: mark.asOf)
            )
        }
        storedTimestamps = timestamps
    }

    /// Creates a record to write unchanged, without rules or history, as for a copied database.
    package init(copying state: UserState?, changes: [UserChange] = []) {
        record = VersionedRecord(copying: state.map { Revision($0) }, changes: changes.map { RecordChange($0) })
        timestamps = state?.timestamps ?? AccessTimestamps()
        storedTimestamps = AccessTimestamps()
    }

    /// Adds the stored effective times of a user without a state.
    ///
    /// If the user has a state, or a deletion that lacks these times, a replica of an earlier version has written them.
    package mutating func read(kept: StoredTimestamps) {
        (storedKept, keptAt) = (kept, kept.time)
        if record.stored == nil { timestamps.raise(to: kept.timestamps) }
    }

    // MARK: For stores

    /// The effective times to store beside the user's history, or `nil` if the user has a state or the end of the
    /// history implies them.
    ///
    /// A dated deletion of something that doesn't exist yet leaves them, so that an earlier write which arrives later
    /// is superseded.
    package var kept: StoredTimestamps? {
        guard record.revision == nil, let keptAt, timestamps != impliedTimestamps else { return nil }
        return StoredTimestamps(timestamps, at: keptAt)
    }

    /// Whether the store has effective times of the user in a row of their own.
    package var hasStoredKept: Bool { storedKept != nil }

    /// Whether these effective times differ from the stored ones.
    package var hasNewTimestamps: Bool { kept?.timestamps != storedKept?.timestamps }

    /// The effective times of a user without a state that follow from the end of the history or the mark of an erasure.
    private var impliedTimestamps: AccessTimestamps {
        record.last.map { AccessTimestamps(level: $0.asOf, grants: $0.asOf) } ?? AccessTimestamps()
    }

    /// The last version, or `nil` if the user was never stored.
    package var last: Mark? { record.last }

    /// The level and the grants after the changes, or `nil` for a user without a state.
    package var access: UserAccess? { record.revision?.value }

    /// Whether the store has a state of the user.
    package var isStored: Bool { record.stored != nil }

    /// Whether all rows of the user must be deleted before new ones are written.
    package var isErased: Bool { record.isErased }

    /// Whether the record differs from the stored one.
    package var isChanged: Bool { record.isChanged || hasNewState }

    /// Whether the version can be increased.
    ///
    /// If not, the stored version is corrupt.
    package var hasNextVersions: Bool { record.hasNextVersions }

    /// Whether the store has rows of the user to write or delete.
    package var hasRows: Bool { isErased || isChanged || hasNewTimestamps }

    /// Whether the state of the user differs from the stored one.
    package var hasNewState: Bool {
        record.revision != record.stored || record.revision != nil && timestamps != storedTimestamps
    }

    /// The changes to add to the history of the user.
    package var changes: [UserChange] { record.changes.map(\.userChange) }

    /// The irregularities in the order of the changes.
    var irregularities: [OrderIrregularity] { record.irregularities }

    /// Returns the state of the user after the changes, or `nil` if there is none.
    package func state(of id: UserID) -> UserState? {
        record.revision.map { revision in
            UserState(
                id: id,
                access: revision.value,
                version: revision.version,
                updatedAt: revision.updatedAt,
                timestamps: timestamps
            )
        }
    }

    /// Returns the number of the oldest history rows of the user that the limits may delete, or `nil` if there are
    /// none.
    package func prunedChangeCount(by limits: UserHistoryLimits) -> Int? { record.prunedCount(by: limits) }

    /// Returns the version up to which history rows are deleted once the new ones are written, or `nil` to delete none.
    ///
    /// - Parameters:
    ///   - oldest: The oldest stored rows, ordered by version, at most ``prunedChangeCount(by:)``.
    ///   - limits: The limits of the history.
    /// - Returns: The last version to delete.
    package func end(oldest: [UserChange], limits: UserHistoryLimits) -> Int? {
        record.end(oldest: oldest.map { RecordChange($0) }, limits: limits)
    }

    /// Deletes the changes beyond the limits from a history that only the ledger has, as in a store in memory.
    package mutating func prune(_ limits: UserHistoryLimits) { record.prune(limits) }

    // MARK: Changes

    /// Sets the level.
    ///
    /// If there are grants, they replace all grants of the user.
    ///
    /// - Returns: Whether no level was written before.
    mutating func set(
        _ level: LevelAssignment,
        grants: [GrantAssignment]?,
        on terms: ChangeTerms
    ) throws(ChangeRefusal<UserAccess>) -> Bool {
        let former = access
        try check(terms.precondition, isThere: former != nil, isAbsent: former?.level == nil)
        var (access, timestamps) = (former ?? UserAccess(level: nil), timestamps)
        let ofLevel = record.order(asOf: terms.asOf, at: terms.time, after: timestamps.level)
        if let ofLevel {
            access.level = level
            timestamps.level = ofLevel
        }
        let ofGrants = grants.flatMap { replaceGrants(by: $0, on: terms, in: &access, &timestamps) }
        guard let effectiveTime = [ofLevel, ofGrants].compactMap(\.self).max() else {
            throw .superseded(by: record.revision)
        }
        put(access, timestamps, on: terms, asOf: effectiveTime)
        return former?.level == nil
    }

    /// Changes a grant, given its name followed by its former ones.
    ///
    /// A dated removal stores its effective time even if the user doesn't hold the grant.
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
        let last = names.compactMap(timestamps.effectiveTime).max()
        guard let effectiveTime = record.order(asOf: terms.asOf, at: terms.time, after: last) else {
            throw .superseded(by: record.revision)
        }
        if change == .remove, !wasHeld, terms.asOf == nil { return false }
        var (access, timestamps) = (former ?? UserAccess(level: nil), timestamps)
        for name in names {
            access.drop(name)
            if name == names.first || timestamps.each[name] != nil { timestamps.set(effectiveTime, of: name) }
        }
        if change == .remove, former == nil {
            keep(timestamps, at: terms.time)
            return false
        }
        if case .hold(let end) = change, let name = names.first {
            let grant = GrantAssignment(name, validUntil: end)
            if grant.isHeld(at: terms.time) { access.hold(grant) }
        }
        put(access, timestamps, on: terms, asOf: effectiveTime)
        return wasHeld
    }

    /// Deletes the user.
    ///
    /// Versions continue afterwards.
    ///
    /// Parts with a later effective time than the deletion stay: the level, and grants with or without it. A dated
    /// deletion stores its effective time even if there is nothing to delete.
    ///
    /// - Returns: Whether the user had a state.
    mutating func remove(on terms: ChangeTerms) throws(ChangeRefusal<UserAccess>) -> Bool {
        let former = access
        try check(terms.precondition, isThere: former != nil, isAbsent: former == nil)
        if former == nil, terms.asOf == nil { return false }
        var (access, timestamps) = (former ?? UserAccess(level: nil), timestamps)
        // A deletion without an effective time follows all parts.
        let last = terms.asOf == nil ? timestamps.latest : timestamps.level
        let ofLevel = record.order(asOf: terms.asOf, at: terms.time, after: last)
        if let ofLevel {
            access.level = nil
            timestamps.level = ofLevel
        }
        let ofGrants = replaceGrants(by: [], on: terms, in: &access, &timestamps)
        guard let effectiveTime = [ofLevel, ofGrants].compactMap(\.self).max() else {
            throw .superseded(by: record.revision)
        }
        guard let former else {
            keep(timestamps, at: terms.time)
            return false
        }
        guard let ofLevel, access.grants.isEmpty else {
            put(access, timestamps, on: terms, asOf: effectiveTime)
            guard access != former else { throw .superseded(by: record.revision) }
            return true
        }
        record.drop(on: terms, asOf: ofLevel)
        keep(terms.asOf == nil ? impliedTimestamps : timestamps, at: terms.time)
        return true
    }

    /// Deletes the user and the history, except for the last version and its effective time.
    ///
    /// A change without an effective time follows that one (decision record 17).
    ///
    /// - Returns: Whether there was a state, a history, or a stored effective time.
    mutating func erase(on terms: ChangeTerms) throws(ChangeRefusal<UserAccess>) -> Bool {
        try check(terms.precondition, isThere: access != nil, isAbsent: access == nil)
        let hadMoments = kept != nil
        let effectiveTime = record.effectiveTime(ofErasureAt: terms.time, after: timestamps.latest)
        let wasThere = record.forget(asOf: effectiveTime)
        timestamps = impliedTimestamps
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

    /// Replaces all grants except grants with a later effective time.
    ///
    /// - Returns: The latest effective time of a replaced grant, or `nil` if the write is too late for all of them.
    private mutating func replaceGrants(
        by new: [GrantAssignment],
        on terms: ChangeTerms,
        in access: inout UserAccess,
        _ timestamps: inout AccessTimestamps
    ) -> Timestamp? {
        var latest: Timestamp?
        let held = new.filter { $0.isHeld(at: terms.time) }
        for name in Set(access.grants.map(\.name) + held.map(\.name) + timestamps.each.keys) {
            guard
                let effectiveTime = record.order(
                    asOf: terms.asOf,
                    at: terms.time,
                    after: timestamps.effectiveTime(of: name)
                )
            else {
                continue
            }
            access.drop(name)
            if let grant = held.last(where: { $0.name == name }) { access.hold(grant) }
            timestamps.set(effectiveTime, of: name)
            latest = max(latest ?? effectiveTime, effectiveTime)
        }
        if let effectiveTime = record.order(asOf: terms.asOf, at: terms.time, after: timestamps.grants) {
            timestamps.setAll(effectiveTime)
            latest = max(latest ?? effectiveTime, effectiveTime)
        }
        return latest
    }

    /// Sets new parts with an effective time.
    ///
    /// Expired grants are removed with the next version, and do not make one themselves.
    private mutating func put(
        _ access: UserAccess,
        _ timestamps: AccessTimestamps,
        on terms: ChangeTerms,
        asOf effectiveTime: Timestamp
    ) {
        var (access, timestamps) = (access, timestamps)
        let former = self.access
        if access != former {
            access.dropEnded(at: terms.time)
            if let former, access == former.droppingEnded(at: terms.time) { access = former }
        }
        Self.bound(&access, &timestamps)
        self.timestamps = timestamps
        record.put(access, on: terms, asOf: effectiveTime)
    }

    /// Sets the effective times of a user without a state.
    private mutating func keep(_ timestamps: AccessTimestamps, at time: Timestamp) {
        keptAt = time
        var (access, timestamps) = (UserAccess(level: nil), timestamps)
        Self.bound(&access, &timestamps)
        self.timestamps = timestamps
    }

    /// Limits the number of grants.
    ///
    /// The grants that were written first are dropped, then the effective times of removed grants, which the effective
    /// time of all grants replaces.
    private static func bound(_ access: inout UserAccess, _ timestamps: inout AccessTimestamps) {
        while access.grants.count > maximumGrantCount {
            guard let first = access.grants.map(\.name).min(by: { timestamps.isEarlier($0, than: $1) }) else { return }
            access.drop(first)
        }
        while timestamps.each.count > maximumGrantCount {
            let removed = timestamps.each.filter { name, _ in !access.grants.contains { $0.name == name } }
            guard let first = removed.values.min() else { return }
            timestamps.setAll(max(first, timestamps.grants ?? first))
        }
    }
}

extension AccessTimestamps {
    /// Returns whether the last write of a grant is earlier than the last write of another.
    fileprivate func isEarlier(_ left: GrantName, than right: GrantName) -> Bool {
        switch (effectiveTime(of: left), effectiveTime(of: right)) {
        case (let left?, let right?): left < right
        case (nil, .some): true
        case (_, nil): false
        }
    }
}
