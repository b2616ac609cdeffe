/// Says why a stack has no link.
public struct NoLink: Error, Hashable, Sendable {
    /// Names what is at fault.
    public enum Reason: Hashable, Sendable {
        /// A destination that the catalog does not have there, or that no link opens so.
        case destination

        /// A scheme that no origin has.
        case unknownScheme
    }

    /// What is at fault.
    public let reason: Reason

    /// The route of the first destination at fault.
    public let route: String

    /// Its place in the stack, from 0.
    public let index: Int

    /// What is wrong, as a sentence.
    public let message: String
}
