/// What matching may still cost: a file and a URL are strangers', and a pattern of many alternatives takes long.
package struct MatchingEffort: Sendable {
    /// The steps that are left.
    private(set) var steps: Int

    /// Begins with so many steps, of a few nanoseconds each.
    package init(steps: Int = 50_000_000) {
        self.steps = steps
    }

    /// Takes some steps.
    ///
    /// - Throws: ``MatchingEffortError`` where fewer are left.
    mutating func spend(_ count: Int) throws(MatchingEffortError) {
        steps -= count
        guard steps >= 0 else { throw MatchingEffortError() }
    }
}

/// The error of a file that takes too long to match.
package struct MatchingEffortError: Error {}
