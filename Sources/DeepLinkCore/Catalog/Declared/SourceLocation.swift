/// A place in a catalog file; lines and columns count from 1.
public struct SourceLocation: Hashable, Comparable, Sendable {
    /// The file, as the user named it.
    public let file: String

    /// The line, from 1.
    public let line: Int

    /// The column in characters, from 1.
    public let column: Int

    /// Creates a location from its parts.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// Orders by file, then line, then column.
    public static func < (left: SourceLocation, right: SourceLocation) -> Bool {
        (left.file.bytewise, left.line, left.column) < (right.file.bytewise, right.line, right.column)
    }
}
