/// The first destination of a stack that does not stand there as it is given.
public struct DestinationError: Error, Hashable, Sendable {
    /// Its place in the stack, from 0.
    public let index: Int

    /// Its route.
    public let route: String

    /// What is wrong, as a sentence.
    public let message: String
}
