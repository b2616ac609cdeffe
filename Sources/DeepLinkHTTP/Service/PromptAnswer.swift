import DeepLinkCore
import DeepLinkFormats

/// An answer that is given on the event loop, mostly at once.
enum PromptAnswer {
    /// The answer.
    case given(EndpointResponse)

    /// An answer that waits for a user's level, and for nothing else.
    case awaited(AwaitedAnswer)
}

/// An answer that can be given as soon as the store has told a user's level.
struct AwaitedAnswer {
    /// Whose level.
    let user: UserID

    /// The version that the user must have come to; 0 for any.
    let version: Int

    /// The request.
    let head: RequestHead

    /// How many bytes its body had.
    let byteCount: Int

    /// Answers, from what the store has told.
    let respond: (Result<GrantFinding, any Error>) throws(Problem) -> EndpointResponse
}
