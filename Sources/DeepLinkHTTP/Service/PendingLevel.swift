import DeepLinkCore
import DeepLinkFormats
import DeepLinkUsers

/// The response of an endpoint that needs a user's level.
enum LevelledResponse {
    /// The level was at hand.
    case ready(EndpointResponse)

    /// The store has to be asked for the level; the response waits for nothing else.
    case pending(PendingLevel)
}

/// A level that a response waits for.
struct PendingLevel {
    /// The levels that it is read from.
    let levels: UserLevels

    /// The user.
    let user: UserID

    /// The least version that the user must have; 0 for any.
    let version: Int

    /// Returns the response, given the store's finding.
    let respond: (Result<GrantLookup, any Error>) throws(Problem) -> EndpointResponse

    /// Reads the level, and calls back with the store's finding once, on any thread.
    func read(_ tell: @escaping @Sendable (Result<GrantLookup, any Error>) -> Void) {
        levels.readGrant(of: user, atLeast: version, tell)
    }

    /// Waits for the level, and returns the response.
    func awaitResponse() async throws(Problem) -> EndpointResponse {
        try respond(.success(try await levels.findGrant(of: user, atLeast: version)))
    }
}
