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
    /// The user.
    let user: UserID

    /// The least version that the user must have; 0 for any.
    let version: Int

    /// Returns the response, given the store's finding.
    let respond: (Result<GrantLookup, any Error>) throws(Problem) -> EndpointResponse
}
