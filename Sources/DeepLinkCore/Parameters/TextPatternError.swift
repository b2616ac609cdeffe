/// The reason, in words, why a text is no pattern.
public struct TextPatternError: Error, Hashable, Sendable {
    /// What is wrong, to follow the pattern's name.
    public let message: String

    /// What to write instead; `nil` where any pattern shows it.
    public var hint: String?
}
