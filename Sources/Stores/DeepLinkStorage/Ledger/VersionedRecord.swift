package import DeepLinkCore

/// A record and the rules for its changes, independent of its value and its store.
///
/// A store reads a record into this value, changes are made here, and the store writes the difference:
///
/// 1. **Precondition.** It is compared with the stored version (RFC 9110 §13.1). If it doesn't hold, nothing changes.
/// 2. **Order.** `ChangeOrder` dates the change, or reports it as superseded (decision record 17).
/// 3. **Version.** Setting the stored value again changes only the effective time. An `ETag` identifies the stored
///    value, so version and time don't change, and the history gets no row (decision record 17). Any other value, and a
///    deletion, makes the next version. Versions are never reused: they continue after a deletion and after an erasure
///    (decision record 17).
/// 4. **History.** Each version has a row with its author and time. From these rows, other processes and replicas learn
///    which records changed (decision records 8 and 19).
///
/// The response to the request is stored in the same transaction (``ResponseLedger``).
package struct VersionedRecord<Value: Hashable & Sendable>: Sendable {
    /// The last version of a record, and its effective time.
    package struct Mark: Hashable, Sendable {
        /// The version, which the next change increases by one.
        package let version: Int

        /// The effective time of the version.
        package let asOf: Timestamp

        /// Creates a mark.
        package init(version: Int, asOf: Timestamp) {
            self.version = version
            self.asOf = asOf
        }
    }

    /// The state of a record in a store.
    package enum StoredState: Hashable, Sendable {
        /// Nothing was ever stored.
        case unknown

        /// The record is stored, and has a history.
        case present(Revision<Value>)

        /// The record was deleted. Its history remains and ends with this mark.
        case deleted(Mark)

        /// The record was erased. Only its mark remains.
        case erased(Mark)
    }

    /// The revision in the store, or `nil` if there is none.
    package let stored: Revision<Value>?

    /// The revision after the changes, or `nil` if there is none.
    package private(set) var revision: Revision<Value>?

    /// The last version, or `nil` for a record that was never stored.
    package private(set) var last: Mark?

    /// The changes to add to the history.
    package private(set) var changes: [RecordChange<Value>] = []

    /// Whether all rows of the record must be deleted before new ones are written.
    package private(set) var isErased = false

    /// The irregularities in the order of the changes.
    package private(set) var irregularities: [OrderIrregularity] = []

    /// Whether a history exists, in the store or among the changes.
    private var hasHistory: Bool

    /// Whether an erasure has removed a revision or a history.
    private var hasForgotten = false

    /// Creates the record from its stored state.
    package init(_ storedState: StoredState = .unknown) {
        switch storedState {
        case .unknown: (stored, last, hasHistory) = (nil, nil, false)
        case .present(let revision):
            (stored, last) = (revision, Mark(version: revision.version, asOf: revision.asOf))
            hasHistory = true
        case .deleted(let mark): (stored, last, hasHistory) = (nil, mark, true)
        case .erased(let mark): (stored, last, hasHistory) = (nil, mark, false)
        }
        revision = stored
    }

    /// Creates a record to write unchanged, without rules or history, as for a copied database.
    package init(copying revision: Revision<Value>?, changes: [RecordChange<Value>] = []) {
        stored = nil
        self.revision = revision
        self.changes = changes
        hasHistory = true
    }

    /// Whether the version can be increased.
    ///
    /// If not, the stored version is corrupt.
    package var hasNextVersions: Bool { last?.version ?? 0 < 1 << 62 }

    /// Whether the record differs from the stored one.
    package var isChanged: Bool { hasForgotten || !changes.isEmpty || revision != stored }

    // MARK: Changes

    /// Replaces the value.
    ///
    /// - Returns: The new revision, and whether there was none before.
    package mutating func set(
        _ value: Value,
        on terms: ChangeTerms
    ) throws(ChangeRefusal<Value>) -> (revision: Revision<Value>, isNew: Bool) {
        let isNew = revision == nil
        let effectiveTime = try effectiveTime(on: terms)
        return (put(value, on: terms, asOf: effectiveTime), isNew)
    }

    /// Replaces the value as of an effective time that was checked before.
    @discardableResult
    mutating func put(_ value: Value, on terms: ChangeTerms, asOf effectiveTime: Timestamp) -> Revision<Value> {
        let current: Revision<Value>
        if let former = revision, former.value == value {
            current = Revision(value: value, version: former.version, updatedAt: former.updatedAt, asOf: effectiveTime)
            last = Mark(version: former.version, asOf: effectiveTime)
        } else {
            let version = note(value, on: terms, asOf: effectiveTime)
            current = Revision(value: value, version: version, updatedAt: terms.time, asOf: effectiveTime)
        }
        revision = current
        return current
    }

    /// Deletes the record.
    ///
    /// Versions continue afterwards.
    ///
    /// - Returns: Whether the record existed.
    package mutating func remove(on terms: ChangeTerms) throws(ChangeRefusal<Value>) -> Bool {
        let effectiveTime = try effectiveTime(on: terms)
        guard revision != nil else { return false }
        drop(on: terms, asOf: effectiveTime)
        return true
    }

    /// Deletes an existing record as of an effective time that was checked before.
    mutating func drop(on terms: ChangeTerms, asOf effectiveTime: Timestamp) {
        revision = nil
        _ = note(nil, on: terms, asOf: effectiveTime)
    }

    /// Deletes the record and its history, except for the last version and its effective time.
    ///
    /// A change without an effective time follows that one (decision record 17).
    ///
    /// - Returns: Whether there was a revision or a history.
    package mutating func erase(on terms: ChangeTerms) throws(ChangeRefusal<Value>) -> Bool {
        try check(terms.precondition)
        return forget(asOf: effectiveTime(ofErasureAt: terms.time, after: last?.asOf))
    }

    /// Returns the effective time of an erasure.
    mutating func effectiveTime(ofErasureAt time: Timestamp, after last: Timestamp?) -> Timestamp {
        order(asOf: nil, at: time, after: last) ?? time
    }

    /// Deletes the record and its history, except for the last version and an effective time.
    ///
    /// - Returns: Whether there was a revision or a history.
    mutating func forget(asOf effectiveTime: Timestamp) -> Bool {
        isErased = true
        guard hasHistory, let last else { return false }
        self.last = Mark(version: last.version, asOf: effectiveTime)
        revision = nil
        changes = []
        hasHistory = false
        hasForgotten = true
        return true
    }

    // MARK: Rules

    private func check(_ precondition: UserStatePrecondition) throws(ChangeRefusal<Value>) {
        guard precondition.holds(for: revision?.version) else { throw .versionMismatch(current: revision?.version) }
    }

    /// Returns the effective time of a change.
    private mutating func effectiveTime(on terms: ChangeTerms) throws(ChangeRefusal<Value>) -> Timestamp {
        try check(terms.precondition)
        guard let effectiveTime = order(asOf: terms.asOf, at: terms.time, after: last?.asOf) else {
            throw .superseded(by: revision)
        }
        return effectiveTime
    }

    /// Dates a change by `ChangeOrder`, and records irregularities.
    ///
    /// - Returns: The effective time of the change, or `nil` if the change is too late.
    mutating func order(asOf: Timestamp?, at time: Timestamp, after last: Timestamp?) -> Timestamp? {
        let effectiveTime = ChangeOrder.effectiveTime(asOf: asOf, at: time, after: last)
        if let stored = last {
            if !ChangeOrder.allows(stored, at: time) { irregularities.append(.ahead(stored: stored, now: time)) }
            if let asOf, effectiveTime == nil { irregularities.append(.late(asOf: asOf, stored: stored)) }
        }
        return effectiveTime
    }

    /// Creates the next version, and adds it to the history.
    private mutating func note(_ value: Value?, on terms: ChangeTerms, asOf effectiveTime: Timestamp) -> Int {
        let version = (last?.version ?? 0) + 1
        changes.append(
            RecordChange(
                version: version,
                value: value,
                at: terms.time,
                author: terms.author,
                asOf: terms.asOf == nil && effectiveTime == terms.time ? nil : effectiveTime
            )
        )
        last = Mark(version: version, asOf: effectiveTime)
        hasHistory = true
        return version
    }

    // MARK: Limits of the history

    /// The maximum number of history rows that one change deletes.
    ///
    /// It deletes more rows than it adds, so that a history over its limits shrinks.
    private static var maximumPrunedCount: Int { 4 }

    /// Returns the number of oldest history rows to read because the limits may delete some of them, or `nil` if there
    /// are none.
    package func prunedCount(by limits: UserHistoryLimits) -> Int? {
        // While all rows fit and none is too old, nothing needs to be read.
        guard let newest = changes.last, newest.version > limits.maximumCount || limits.maximumAge != nil else {
            return nil
        }
        return changes.count * Self.maximumPrunedCount
    }

    /// Returns the version up to which history rows are deleted once the new ones are written, or `nil` to delete none.
    ///
    /// - Parameters:
    ///   - oldest: The oldest stored rows, ordered by version, at most ``prunedCount(by:)``.
    ///   - limits: The limits of the history.
    /// - Returns: The last version to delete.
    package func end(oldest: [RecordChange<Value>], limits: UserHistoryLimits) -> Int? {
        guard let newest = changes.last else { return nil }
        let rows = (isErased ? [] : oldest) + changes
        return limits.end(oldest: rows.lazy.map { ($0.version, $0.at) }, newest: newest.version, at: newest.at)
    }

    /// Deletes the changes beyond the limits from a history that only the ledger has, as in a store in memory.
    package mutating func prune(_ limits: UserHistoryLimits) {
        guard let end = end(oldest: [], limits: limits) else { return }
        changes.removeAll { $0.version <= end }
    }
}

/// The stored value of a record, with its version.
package struct Revision<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value of the record at this version.
    package let value: Value

    /// The number of changes of the record, from 1.
    package let version: Int

    /// The time of the last change.
    package let updatedAt: Timestamp

    /// The effective time of the value.
    ///
    /// A change with an earlier effective time is superseded.
    package let asOf: Timestamp
}

/// One change of a record, as stored in the history.
package struct RecordChange<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The version that the change made.
    ///
    /// The versions of one record increase by one.
    package let version: Int

    /// The value that was set, or `nil` for a deletion.
    package let value: Value?

    /// The time of the change.
    package let at: Timestamp

    /// The author of the change.
    package let author: String

    /// The effective time of the change, if it differs from ``at``.
    package let asOf: Timestamp?
}

/// The reason why a record was not changed.
package enum ChangeRefusal<Value: Hashable & Sendable>: Error, Hashable {
    /// The precondition doesn't hold. The stored version, or `nil` if there is none.
    case versionMismatch(current: Int?)

    /// The record, or its deletion, has a later effective time than the change. The current revision, or `nil` if there
    /// is none.
    case superseded(by: Revision<Value>?)
}

extension Revision<UserAccess> {
    /// Creates the revision of a user's state.
    init(_ state: UserState) {
        self.init(
            value: state.access,
            version: state.version,
            updatedAt: state.updatedAt,
            asOf: state.timestamps.latest ?? state.updatedAt
        )
    }
}

extension RecordChange<UserAccess> {
    /// Creates the change of a user's record.
    init(_ change: UserChange) {
        self.init(
            version: change.version,
            value: change.access,
            at: change.at,
            author: change.author,
            asOf: change.asOf
        )
    }

    /// The change as an entry of a user's history.
    var userChange: UserChange {
        UserChange(version: version, access: value, at: at, author: author, asOf: asOf)
    }
}
