/// A location in a catalog file; lines and columns count from 1.
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
