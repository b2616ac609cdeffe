/// A row that damage, or something else than this program, has changed.
struct DamagedRowError: Error, Hashable, CustomStringConvertible {
    /// The table of the row.
    let table: String

    var description: String { "a row of the table \(table) is not what was written" }
}
