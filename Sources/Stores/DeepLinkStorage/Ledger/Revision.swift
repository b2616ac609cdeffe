package import DeepLinkCore

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

extension Revision<UserAccess> {
    /// Creates the revision of a user's state.
    init(_ state: UserState) {
        self.init(
            value: state.access,
            version: state.version,
            updatedAt: state.updatedAt,
            asOf: state.moments.latest ?? state.updatedAt
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
