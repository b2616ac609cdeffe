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

/// The files that a catalog includes, for the names of locations in them.
package struct IncludedFiles: Sendable {
    /// The catalog's own file, or `nil` if it includes no other.
    private let own: ByteText?

    /// The number of bytes of the folder's name, with its slash, with which the files' names begin.
    private let folderLength: Int

    /// No files.
    package static let none = IncludedFiles()

    private init() {
        own = nil
        folderLength = 0
    }

    /// Creates the files of a catalog's folder.
    ///
    /// - Parameters:
    ///   - own: The catalog's own file, under the name that the user gave.
    ///   - folder: The folder of that name, with the slash at its end. Empty for the working folder.
    package init(own: String, folder: String) {
        self.own = own.bytewise
        folderLength = folder.utf8.count
    }

    /// Whether the catalog is in one file.
    package var isEmpty: Bool { own == nil }

    /// Returns the file of a location relative to the catalog's folder, or `nil` for the catalog's own file.
    package func name(at location: SourceLocation) -> String? {
        guard let own, location.file.bytewise != own else { return nil }
        return String(decoding: location.file.utf8.dropFirst(folderLength), as: UTF8.self)
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
