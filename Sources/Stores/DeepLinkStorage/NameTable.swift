/// A table of the names that a catalog gives, in their order, as a server keeps them for commands.
package struct NameTable: Sendable {
    /// The name of the table; its other columns are `name` and, in a file, `checksum`.
    package let table: String

    /// The column of the places, from 0.
    package let place: String

    /// The noun for one of the names, in messages.
    package let noun: String

    /// The names of levels, the lowest first.
    package static let levels = NameTable(table: "level_name", place: "rank", noun: "level")

    /// The names of the grants that users hold.
    package static let grants = NameTable(table: "grant_name", place: "place", noun: "grant")
}
