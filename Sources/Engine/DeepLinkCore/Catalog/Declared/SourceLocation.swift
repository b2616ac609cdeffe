/// A location in a catalog file, with lines and columns counted from 1.
package struct SourceLocation: Hashable, Comparable, Sendable {
    /// The file, under the name that the user gave.
    package let file: String

    /// The line, from 1.
    package let line: Int

    /// The column in characters, from 1.
    package let column: Int

    /// Creates a location from its parts.
    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// Orders by file, then line, then column.
    package static func < (left: SourceLocation, right: SourceLocation) -> Bool {
        (left.file.bytewise, left.line, left.column) < (right.file.bytewise, right.line, right.column)
    }
}

/// A declared value with its location, to which an issue can point.
package struct Located<Value: Sendable>: Sendable {
    /// The declared value.
    package let value: Value

    /// The location of the declaration.
    package let location: SourceLocation

    /// Creates a located value from its parts.
    package init(_ value: Value, at location: SourceLocation) {
        self.value = value
        self.location = location
    }
}

extension Located: Equatable where Value: Equatable {}

/// A cancellation check that long work makes between its steps.
package struct Interruption: Sendable {
    /// The error of cancelled work.
    package struct Stop: Error {}

    private let mustStop: @Sendable () -> Bool

    /// Creates a check from a function that does not block and, once it has returned `true`, keeps doing so.
    package init(mustStop: @escaping @Sendable () -> Bool) {
        self.mustStop = mustStop
    }

    /// The check that never cancels.
    package static let never = Interruption { false }

    /// Whether the work is cancelled.
    package var isDue: Bool { mustStop() }

    /// Checks for cancellation.
    ///
    /// - Throws: ``Stop`` if the work is cancelled.
    package func check() throws(Stop) {
        if isDue { throw Stop() }
    }
}

extension CatalogIssue {
    /// Returns the issue of a catalog after its checks were cancelled.
    package static func givenUp(at location: SourceLocation) -> CatalogIssue {
        CatalogIssue(
            .tooLarge,
            at: location,
            message: "Reading the catalog was given up: it takes too long.",
            hint: "Split the app's routes over several services."
        )
    }
}
