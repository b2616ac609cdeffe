/// The reason why a link cannot continue from the client's current stack.
package struct CurrentStackError: Error, Hashable, Sendable {
    /// The error of a link that continues from a stack, in a request without one.
    static let missing = CurrentStackError(
        message: "In `append` the link continues from what the client shows, "
            + "and the request does not say what that is.",
        isMissing: true
    )

    /// The mismatch, as a sentence.
    package let message: String

    /// Whether the request has no current stack.
    package var isMissing = false
}
