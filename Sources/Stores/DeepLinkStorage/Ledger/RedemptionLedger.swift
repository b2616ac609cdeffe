package import DeepLinkCore

/// The redemptions of continuations: each is bound to the first user who redeems it, and is granted once.
///
/// A redemption may be deleted after its end. A continuation that ends no later than a deleted one may have been
/// deleted too, and the clock may have been set back since. Such a continuation therefore stays expired at any time. If
/// its user was erased, it stays bound to a digest (decision record 17).
package struct RedemptionLedger: Sendable {
    /// The redemption of one continuation.
    package struct Redemption: Sendable {
        /// The first user to redeem it.
        package let user: UserID

        /// The end of the continuation.
        package let end: Timestamp

        /// Whether it was granted.
        package fileprivate(set) var isSpent: Bool

        /// Whether the redemption is in the store.
        package let isStored: Bool

        /// Whether it differs from the stored one.
        package fileprivate(set) var isChanged = false

        /// Whether its user was erased.
        ///
        /// A digest then replaces the user.
        package fileprivate(set) var isUnbound = false

        /// Creates a redemption.
        package init(user: UserID, end: Timestamp, isSpent: Bool, isStored: Bool) {
            self.user = user
            self.end = end
            self.isSpent = isSpent
            self.isStored = isStored
        }
    }

    /// The redemptions, by continuation.
    package private(set) var entries: [ContinuationID: Redemption] = [:]

    /// The continuations to delete from the store.
    package private(set) var forgotten: [ContinuationID] = []

    /// The latest end of a deleted continuation.
    package private(set) var forgottenUntil = Timestamp(millisecondsSinceEpoch: .min)

    /// The continuations that may be deleted, with their ends.
    private var ended: [(id: ContinuationID, end: Timestamp)] = []

    /// Adds a stored redemption to the ledger, or one to write unchanged.
    package mutating func read(_ redemption: Redemption, of id: ContinuationID) { entries[id] = redemption }

    /// Adds a continuation that may be deleted once it has ended.
    package mutating func readEnded(_ id: ContinuationID, end: Timestamp) { ended.append((id, end)) }

    /// Adds the latest end of a deleted continuation.
    package mutating func readForgottenUntil(_ end: Timestamp) { forgottenUntil = max(forgottenUntil, end) }

    /// Marks all redemptions of the ledger as deletable, for a store in memory.
    package mutating func offerAll() { ended = entries.map { ($0.key, $0.value.end) } }

    /// Binds a continuation to the first user who redeems it.
    mutating func bind(_ id: ContinuationID, to user: UserID, until end: Timestamp, at time: Timestamp)
        -> RedemptionState
    {
        forget(before: time)
        guard end > forgottenUntil else { return .expired }
        guard let redemption = entries[id] else {
            entries[id] = Redemption(user: user, end: end, isSpent: false, isStored: false)
            return .open
        }
        guard !redemption.isUnbound, redemption.user == user else { return redemption.isSpent ? .spent : .otherUser }
        return redemption.isSpent ? .granted : .open
    }

    /// Spends a continuation that is bound.
    ///
    /// - Returns: Whether it was unspent.
    mutating func spend(_ id: ContinuationID) -> Bool {
        guard var redemption = entries[id], !redemption.isSpent else { return false }
        (redemption.isSpent, redemption.isChanged) = (true, true)
        entries[id] = redemption
        return true
    }

    /// Replaces a user by a digest in all redemptions.
    mutating func erase(_ user: UserID) {
        for (id, redemption) in entries where redemption.user == user { entries[id]?.isUnbound = true }
    }

    private mutating func forget(before time: Timestamp) {
        for known in ended where known.end < time {
            forgottenUntil = max(forgottenUntil, known.end)
            forgotten.append(known.id)
            entries[known.id] = nil
        }
        ended.removeAll { $0.end < time }
    }
}
