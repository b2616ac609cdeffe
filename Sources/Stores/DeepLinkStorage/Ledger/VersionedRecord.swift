package import DeepLinkCore

/// A record, and the rules for its changes, independent of its value and its store.
///
/// A store reads a record into this value, changes are made here, and the store writes the difference:
///
/// 1. **Precondition.** It is compared with the stored version (RFC 9110 §13.1). One that doesn't hold changes nothing.
/// 2. **Order.** `ChangeOrder` dates the change, or reports it as superseded (decision record 17).
/// 3. **Version.** Setting the stored value again moves only the moment: an `ETag` identifies the stored value, so
/// version and time don't change, and the history gets no row (decision record 17). Any other value, and a deletion,
/// makes the next version. No version is given twice: versions continue after a deletion, and after an erasure
/// (decision record 17).
/// 4. **History.** Each version has a row with its author and time; the rows name the changed records to other processes
///    and replicas (decision records 8 and 19).
///
/// The answer to the request is kept in the same transaction (``AnswerLedger``).
package struct VersionedRecord<Value: Hashable & Sendable>: Sendable {
    /// The last version of a record, and the moment as of which it counts.
    package struct Mark: Hashable, Sendable {
        /// The version.
        package let version: Int

        /// The moment.
        package let asOf: Timestamp

        /// Creates a mark from its parts.
        package init(version: Int, asOf: Timestamp) {
            self.version = version
            self.asOf = asOf
        }
    }

    /// The state of a record in a store.
    package enum Standing: Hashable, Sendable {
        /// Nothing was ever stored.
        case unknown

        /// The record is stored, and has a history.
        case present(Revision<Value>)

        /// The record was deleted; its history remains and ends with this mark.
        case deleted(Mark)

        /// The record was erased; only its mark remains.
        case erased(Mark)
    }

    /// The revision in the store; `nil` for none.
    package let stored: Revision<Value>?

    /// The revision after the changes; `nil` for none.
    package private(set) var revision: Revision<Value>?

    /// The last version; `nil` for a record that was never stored.
    package private(set) var last: Mark?

    /// The changes to be added to the history.
    package private(set) var changes: [RecordChange<Value>] = []

    /// Whether everything stored of the record is to be deleted before new rows are written.
    package private(set) var isErased = false

    /// The out-of-order moments met by the changes.
    package private(set) var irregularities: [OrderIrregularity] = []

    /// Whether a history exists, in the store or among the changes.
    private var hasHistory: Bool

    /// Whether an erasure has removed a revision or a history.
    private var hasForgotten = false

    /// Reads a record into the ledger.
    package init(_ standing: Standing = .unknown) {
        switch standing {
        case .unknown: (stored, last, hasHistory) = (nil, nil, false)
        case .present(let revision):
            (stored, last) = (revision, Mark(version: revision.version, asOf: revision.asOf))
            hasHistory = true
        case .deleted(let mark): (stored, last, hasHistory) = (nil, mark, true)
        case .erased(let mark): (stored, last, hasHistory) = (nil, mark, false)
        }
        revision = stored
    }

    /// Creates a record to be written as it is, without rules or history, as for a copied database.
    package init(copying revision: Revision<Value>?, changes: [RecordChange<Value>] = []) {
        stored = nil
        self.revision = revision
        self.changes = changes
        hasHistory = true
    }

    /// Whether there are further version numbers; if not, the stored version is damaged.
    package var hasNextVersions: Bool { last?.version ?? 0 < 1 << 62 }

    /// Whether the record differs from the stored one.
    package var isChanged: Bool { hasForgotten || !changes.isEmpty || revision != stored }

    // MARK: Changes

    /// Replaces the value.
    ///
    /// - Returns: The revision that is stored from now on, and whether there was none before.
    package mutating func set(
        _ value: Value,
        on terms: ChangeTerms
    ) throws(ChangeRefusal<Value>) -> (revision: Revision<Value>, isNew: Bool) {
        let isNew = revision == nil
        let moment = try moment(on: terms)
        return (put(value, on: terms, asOf: moment), isNew)
    }

    /// Replaces the value as of a moment that is known to count.
    @discardableResult
    mutating func put(_ value: Value, on terms: ChangeTerms, asOf moment: Timestamp) -> Revision<Value> {
        let current: Revision<Value>
        if let former = revision, former.value == value {
            current = Revision(value, version: former.version, updatedAt: former.updatedAt, asOf: moment)
            last = Mark(version: former.version, asOf: moment)
        } else {
            let version = note(value, on: terms, asOf: moment)
            current = Revision(value, version: version, updatedAt: terms.time, asOf: moment)
        }
        revision = current
        return current
    }

    /// Deletes the record; its versions continue afterwards.
    ///
    /// - Returns: Whether the record existed.
    package mutating func remove(on terms: ChangeTerms) throws(ChangeRefusal<Value>) -> Bool {
        let moment = try moment(on: terms)
        guard revision != nil else { return false }
        drop(on: terms, asOf: moment)
        return true
    }

    /// Deletes a record that exists as of a moment that is known to count.
    mutating func drop(on terms: ChangeTerms, asOf moment: Timestamp) {
        revision = nil
        _ = note(nil, on: terms, asOf: moment)
    }

    /// Deletes the record and its history, except for the last version and its moment; a change without a moment of its
    /// own follows that moment (decision record 17).
    ///
    /// - Returns: Whether there was a revision or a history.
    package mutating func erase(on terms: ChangeTerms) throws(ChangeRefusal<Value>) -> Bool {
        try check(terms.precondition)
        return forget(asOf: moment(ofErasureAt: terms.time, after: last?.asOf))
    }

    /// Returns the moment as of which an erasure counts.
    mutating func moment(ofErasureAt time: Timestamp, after last: Timestamp?) -> Timestamp {
        order(asOf: nil, at: time, after: last) ?? time
    }

    /// Deletes the record and its history, except for the last version and a moment.
    ///
    /// - Returns: Whether there was a revision or a history.
    mutating func forget(asOf moment: Timestamp) -> Bool {
        isErased = true
        guard hasHistory, let last else { return false }
        self.last = Mark(version: last.version, asOf: moment)
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

    /// Returns the moment as of which a change counts.
    private mutating func moment(on terms: ChangeTerms) throws(ChangeRefusal<Value>) -> Timestamp {
        try check(terms.precondition)
        guard let moment = order(asOf: terms.asOf, at: terms.time, after: last?.asOf) else {
            throw .superseded(by: revision)
        }
        return moment
    }

    /// Dates a change by `ChangeOrder`, and records irregularities.
    ///
    /// - Returns: The moment as of which the change counts after the last one; `nil` if it is too late.
    mutating func order(asOf: Timestamp?, at time: Timestamp, after last: Timestamp?) -> Timestamp? {
        let moment = ChangeOrder.moment(asOf: asOf, at: time, after: last)
        if let stored = last {
            if !ChangeOrder.allows(stored, at: time) { irregularities.append(.ahead(stored: stored, now: time)) }
            if let asOf, moment == nil { irregularities.append(.late(asOf: asOf, stored: stored)) }
        }
        return moment
    }

    /// Creates the next version, and adds it to the history.
    private mutating func note(_ value: Value?, on terms: ChangeTerms, asOf moment: Timestamp) -> Int {
        let version = (last?.version ?? 0) + 1
        changes.append(
            RecordChange(
                version: version,
                value: value,
                at: terms.time,
                author: terms.author,
                asOf: terms.asOf == nil && moment == terms.time ? nil : moment
            )
        )
        last = Mark(version: version, asOf: moment)
        hasHistory = true
        return version
    }

    // MARK: Limits of the history

    /// The most rows that one change drops from a history: more than it adds, so that a history over its limits
    /// shrinks.
    private static var maximumPrunedCount: Int { 4 }

    /// Returns the number of oldest stored rows to read because the limits may drop some of them; `nil` for none.
    package func prunedCount(by limits: UserHistoryLimits) -> Int? {
        // While all rows fit and none is too old, nothing needs to be read.
        guard let newest = changes.last, newest.version > limits.maximumCount || limits.maximumAge != nil else {
            return nil
        }
        return changes.count * Self.maximumPrunedCount
    }

    /// Returns the version up to which history rows are dropped once the new ones are written; `nil` for none.
    ///
    /// - Parameters:
    ///   - oldest: The oldest stored rows, in the order of their versions, ``prunedCount(by:)`` at most.
    ///   - limits: The bounds of the history.
    /// - Returns: The last version to drop.
    package func end(oldest: [RecordChange<Value>], limits: UserHistoryLimits) -> Int? {
        guard let newest = changes.last else { return nil }
        let rows = (isErased ? [] : oldest) + changes
        return limits.end(oldest: rows.lazy.map { ($0.version, $0.at) }, newest: newest.version, at: newest.at)
    }

    /// Drops the rows beyond the limits from a history that is only in the ledger, as in a store in memory.
    package mutating func prune(_ limits: UserHistoryLimits) {
        guard let end = end(oldest: [], limits: limits) else { return }
        changes.removeAll { $0.version <= end }
    }
}
