/// A store of service tokens: the port through which the HTTP layer and the commands reach whatever keeps them.
///
/// Tokens are few. Revoked and expired ones stay, so that a server that once told callers apart never stops to.
public protocol ServiceTokenStore: Sendable {
    /// Reads all tokens, the oldest first, revoked and expired ones included.
    func serviceTokens() async throws -> [ServiceToken]

    /// Adds a token; when this returns, it survives a loss of power.
    func add(_ token: ServiceToken) async throws

    /// Takes a token back, at a moment.
    ///
    /// - Returns: whether there is such a token; one that was revoked before keeps its moment.
    func revoke(_ id: ServiceTokenID, at time: Timestamp) async throws -> Bool
}
