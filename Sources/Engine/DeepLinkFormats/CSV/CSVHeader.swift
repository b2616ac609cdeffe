import DeepLinkCore

/// The first row of comma-separated values, which names the columns.
package struct CSVHeader: Sendable {
    /// The names as written, in their order.
    package let names: [String]

    /// The names in the form that is compared.
    private let forms: [ByteText]

    /// Reads the names of a row.
    package init(_ row: CSVRow) {
        names = row.texts
        forms = names.map(Self.form)
    }

    /// The number of columns.
    package var count: Int { names.count }

    /// Returns the first column that has one of some names; `nil` if there is none.
    ///
    /// Only ASCII letters and digits of a name count, and not their case: `Short link` is `short_link`.
    package func column(named candidates: String...) -> Int? { column(named: candidates) }

    /// Returns the first column that has one of some names; `nil` if there is none.
    package func column(named candidates: [String]) -> Int? {
        let wanted = candidates.map(Self.form)
        return forms.firstIndex { wanted.contains($0) }
    }

    private static func form(_ name: String) -> ByteText {
        let bytes = name.utf8.map(ASCII.lowercased).filter { ASCII.isDigit($0) || $0 &- 0x61 < 26 }
        return ByteText(String(decoding: bytes, as: UTF8.self))
    }
}
