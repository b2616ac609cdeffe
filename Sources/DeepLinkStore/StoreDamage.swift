/// Reports a row that the schema forbids, so something else than this program wrote it.
struct StoreDamage: Error, CustomStringConvertible {
    let table: String

    var description: String { "A row of the table \(table) holds values that its schema forbids." }
}
