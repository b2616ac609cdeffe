/// A partly matched path, with suggestions.
package struct UnmatchedPath: Equatable, Sendable {
    /// The stack of the part that matched, without query routes.
    package let matched: [Destination]

    /// The decoded segments after that part.
    package let unmatched: [String]

    /// Links that do resolve and differ from this one by a few letters, closest first.
    package let suggestions: [String]

    /// The value that the path lacks at its end, with its route, in a sentence; `nil` if it lacks none.
    package let missing: String?

    /// Creates a value from its parts.
    package init(matched: [Destination], unmatched: [String], suggestions: [String], missing: String? = nil) {
        self.matched = matched
        self.unmatched = unmatched
        self.suggestions = suggestions
        self.missing = missing
    }
}
