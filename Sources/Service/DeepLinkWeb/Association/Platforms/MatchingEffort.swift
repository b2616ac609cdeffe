/// The remaining budget of matching: files and URLs are untrusted, and a pattern of many alternatives is large and
/// slow.
///
/// Compiling a pattern spends it as well as matching, so that it bounds the memory too.
package struct MatchingEffort: Sendable {
    /// The remaining steps.
    package private(set) var steps: Int

    /// Creates a budget of steps, each a few nanoseconds.
    package init(steps: Int = 20_000_000) {
        self.steps = steps
    }

    /// Spends some steps.
    ///
    /// - Throws: ``MatchingEffortError`` if fewer are left.
    mutating func spend(_ count: Int) throws(MatchingEffortError) {
        guard count <= steps else {
            steps = 0
            throw MatchingEffortError()
        }
        steps -= count
    }
}

/// The error of a file that exceeds the budget.
package struct MatchingEffortError: Error {}
