/// A cancellation check that long work makes between its steps.
package struct Interruption: Sendable {
    /// The error of cancelled work, which has no result.
    package struct Stop: Error {}

    private let mustStop: @Sendable () -> Bool

    /// Creates a check from a function, which must return at once and, once it has returned true, keep doing so.
    package init(mustStop: @escaping @Sendable () -> Bool) {
        self.mustStop = mustStop
    }

    /// The check that never cancels.
    package static let never = Interruption { false }

    /// Whether the work is cancelled.
    package var isDue: Bool { mustStop() }

    /// Checks for cancellation.
    ///
    /// - Throws: ``Stop``, if the work is cancelled.
    package func check() throws(Stop) {
        if isDue { throw Stop() }
    }
}

extension CatalogIssue {
    /// Returns the issue of a catalog whose checks were cancelled.
    package static func givenUp(at location: SourceLocation) -> CatalogIssue {
        CatalogIssue(
            .tooLarge,
            at: location,
            message: "Reading the catalog was given up: it takes too long.",
            hint: "Split the app's routes over several services."
        )
    }
}
