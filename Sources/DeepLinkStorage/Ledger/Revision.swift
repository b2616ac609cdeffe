package import DeepLinkCore
package import DeepLinkUsers

/// The stored value of a record, with its version.
package struct Revision<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value.
    package let value: Value

    /// The number of changes of the record, from 1.
    package let version: Int

    /// The time of the last change.
    package let updatedAt: Timestamp

    /// The moment as of which the value counts: a change of an earlier moment is superseded.
    package let asOf: Timestamp

    /// Creates a revision from its parts.
    package init(_ value: Value, version: Int, updatedAt: Timestamp, asOf: Timestamp) {
        self.value = value
        self.version = version
        self.updatedAt = updatedAt
        self.asOf = asOf
    }
}

/// One change of a record, as kept in the history.
package struct RecordChange<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The version that the change made; the versions of one record go up by one.
    package let version: Int

    /// The value that was set; `nil` for a deletion.
    package let value: Value?

    /// The time of the change.
    package let at: Timestamp

    /// The author of the change.
    package let author: String

    /// The moment as of which the change counts, if it isn't ``at``.
    package let asOf: Timestamp?

    /// Creates a change from its parts.
    package init(version: Int, value: Value?, at: Timestamp, author: String, asOf: Timestamp?) {
        self.version = version
        self.value = value
        self.at = at
        self.author = author
        self.asOf = asOf
    }
}

extension Revision<LevelGrant> {
    /// Creates the revision of a user's state.
    package init(_ state: UserState) {
        self.init(state.grant, version: state.version, updatedAt: state.updatedAt, asOf: state.asOf)
    }

    /// Returns the user's state with this revision.
    package func state(of id: UserID) -> UserState {
        UserState(id: id, grant: value, version: version, updatedAt: updatedAt, asOf: asOf)
    }
}

extension RecordChange<LevelGrant> {
    /// Creates the change of a user's record.
    package init(_ change: UserChange) {
        self.init(
            version: change.version,
            value: change.grant,
            at: change.at,
            author: change.author,
            asOf: change.asOf
        )
    }

    /// The change in the form of a user's history.
    package var userChange: UserChange {
        UserChange(version: version, grant: value, at: at, author: author, asOf: asOf)
    }
}
