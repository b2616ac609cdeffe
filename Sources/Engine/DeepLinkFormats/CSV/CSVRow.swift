/// A record of comma-separated values, decoded: the fields of a row of a spreadsheet.
package struct CSVRow: Equatable, Sendable {
    /// The line of the file at which the row begins, from 1; quoted fields may have line feeds.
    package let line: Int

    /// The fields without their quotation marks, one behind the other, in UTF-8.
    private let bytes: [UInt8]

    /// The end of each field in the bytes.
    private let ends: [Int]

    /// Creates a row from its fields, one behind the other, and the end of each.
    init(line: Int, bytes: [UInt8], ends: [Int]) {
        self.line = line
        self.bytes = bytes
        self.ends = ends
    }

    /// The number of fields, at least 1.
    package var count: Int { ends.count }

    /// Whether no field has any text, as in the last rows of many spreadsheets.
    package var isBlank: Bool { bytes.isEmpty }

    /// The bytes of a field, in UTF-8; none for a field that the row doesn't have.
    package subscript(index: Int) -> ArraySlice<UInt8> {
        guard ends.indices.contains(index) else { return [] }
        return bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    }

    /// Returns the text of a field, empty for one that the row doesn't have.
    package func text(at index: Int) -> String { String(decoding: self[index], as: UTF8.self) }

    /// The texts of all fields.
    package var texts: [String] { ends.indices.map { text(at: $0) } }
}
