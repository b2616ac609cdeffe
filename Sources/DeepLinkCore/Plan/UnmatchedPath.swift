/// How far a path matched, and what its author may have meant.
public struct UnmatchedPath: Equatable, Sendable {
    /// The stack of the part that matched, without query routes.
    public let matched: [Destination]

    /// The decoded segments after that part.
    public let unmatched: [String]

    /// Links that do resolve and differ from this one by a few letters, nearest first.
    public let suggestions: [String]

    /// Creates a report from its parts.
    public init(matched: [Destination], unmatched: [String], suggestions: [String]) {
        self.matched = matched
        self.unmatched = unmatched
        self.suggestions = suggestions
    }
}
