/// The reason why a link cannot continue from the stack that a client shows now.
public struct CurrentStackError: Error, Hashable, Sendable {
    /// The error of a link that continues from a stack which the request does not name.
    static let missing = CurrentStackError(
        message: "In `append` the link continues from what the client shows, "
            + "and the request does not say what that is.",
        isMissing: true
    )

    /// What does not fit, as a sentence.
    public let message: String

    /// Whether the request names no current stack at all.
    public var isMissing = false
}
