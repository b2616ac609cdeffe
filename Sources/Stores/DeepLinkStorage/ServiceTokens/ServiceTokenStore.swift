package import DeepLinkCore

/// A store of service tokens: the interface through which the HTTP layer and the commands reach each implementation.
///
/// Tokens are few. Revoked and expired ones are kept, so that a server that once authenticated callers never stops
/// doing so.
package protocol ServiceTokenStore: Sendable {
    /// Reads all tokens, the oldest first, revoked and expired ones included.
    func serviceTokens() async throws -> [ServiceToken]

    /// Adds a token; when this returns, it survives a loss of power.
    func add(_ token: ServiceToken) async throws

    /// Takes a token back, at a moment.
    ///
    /// - Returns: whether there is such a token; one that was revoked before keeps its moment.
    func revoke(_ id: ServiceTokenID, at time: Timestamp) async throws -> Bool

    /// Stores the last days on which tokens were used; an earlier day than the stored one changes nothing.
    func noteUses(_ days: [ServiceTokenID: CountedDay]) async throws
}
