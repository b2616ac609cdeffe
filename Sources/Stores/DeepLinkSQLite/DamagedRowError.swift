/// A row that was changed by damage, or by another program.
struct DamagedRowError: Error, Hashable, CustomStringConvertible {
    /// The table of the row.
    let table: String

    var description: String { "a row of the table \(table) is not what was written" }
}
