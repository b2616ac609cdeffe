/// The reason why the stack that a client shows now is none of the catalog's.
public struct CurrentStackError: Error, Hashable, Sendable {
    /// What does not fit, as a sentence.
    public let message: String
}
