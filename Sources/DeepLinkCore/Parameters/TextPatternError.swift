/// The reason, in words, why a text is no pattern.
public struct TextPatternError: Error, Hashable, Sendable {
    /// What is wrong, to follow the pattern's name.
    public let message: String
}
