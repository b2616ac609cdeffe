package import DeepLinkCore

/// A store of service tokens: the interface that the HTTP layer and the commands use for each implementation.
///
/// Tokens are few. Revoked and expired ones stay stored, so that a server that has required authentication once always
/// does.
package protocol ServiceTokenStore: Sendable {
    /// Reads all tokens, the oldest first, including revoked and expired ones.
    func serviceTokens() async throws -> [ServiceToken]

    /// Adds a token. When this returns, it survives a power failure.
    func add(_ token: ServiceToken) async throws

    /// Revokes a token.
    ///
    /// - Returns: Whether the token exists. A token that was revoked before keeps its time.
    func revoke(_ id: ServiceTokenID, at time: Timestamp) async throws -> Bool

    /// Stores the last days on which tokens were used. A day earlier than the stored one changes nothing.
    func noteUses(_ days: [ServiceTokenID: CountedDay]) async throws
}

extension ServiceTokenStore where Self: LedgerStore {
    package func add(_ token: ServiceToken) async throws { try await make(.add(token)) }

    package func revoke(_ id: ServiceTokenID, at time: Timestamp) async throws -> Bool {
        try await make(.revoke(id, at: time))
    }
}

/// A store of redeemed continuations, which ensures that each is granted once.
///
/// Minting a continuation stores nothing. The first attempt to redeem it does.
package protocol ContinuationStore: LedgerStore {}

extension ContinuationStore {
    /// Binds a continuation to the first user who redeems it.
    ///
    /// The binding may be deleted after `end`, when the continuation itself has expired. From then on the state is
    /// ``RedemptionState/expired``, for every `time`.
    ///
    /// - Returns: The state of the continuation for this user.
    package func bind(
        _ id: ContinuationID,
        to user: UserID,
        until end: Timestamp,
        at time: Timestamp
    ) async throws -> RedemptionState { try await make(.bind(id, to: user, until: end, at: time)) }

    /// Spends a continuation that is bound.
    ///
    /// - Returns: Whether it was unspent. Of any number of concurrent calls, one returns `true`.
    package func spend(_ id: ContinuationID) async throws -> Bool { try await make(.spend(id)) }
}
