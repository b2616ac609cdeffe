package import DeepLinkUsers

/// The record of a user.
package typealias UserRecord = VersionedRecord<LevelGrant>

// The parts of a user's record that stores ask for once for each user. The compiler specializes no generic code of another
// module: a store that called the members of `VersionedRecord` itself would look up their types by every call.
extension VersionedRecord<LevelGrant> {
    /// Reads the record of a user into the ledger.
    package init(user standing: Standing) { self.init(standing) }

    /// Whether further versions of the user can be counted; if they can't, the stored version is damage.
    package var hasNextUserVersions: Bool { hasNextVersions }

    /// Whether the store has rows of the user to write, or to forget.
    package var hasUserRows: Bool { isErased || isChanged }

    /// Whether the state of the user isn't as the store has it.
    package var hasNewUserState: Bool { revision != stored }

    /// The changes to be added to the history of the user.
    package var userChanges: [UserChange] { changes.map(\.userChange) }

    /// Returns the number of the oldest stored rows of the user's history that the limits may drop; `nil` for none.
    package func prunedUserChangeCount(by limits: UserHistoryLimits) -> Int? { prunedCount(by: limits) }
}
