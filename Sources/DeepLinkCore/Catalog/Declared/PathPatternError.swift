/// The reason, in words, why a text is no path pattern.
public struct PathPatternError: Error, Hashable, Sendable {
    /// What is wrong, to follow the pattern.
    public let message: String

    /// What to write instead; `nil` where any pattern shows it.
    public var hint: String?
}
