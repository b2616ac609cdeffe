import DeepLinkFormats

/// A short link of another service, as exported in a row.
struct ImportedRow: Sendable {
    /// The line of the file, from 1.
    let line: Int

    /// The code as written, or the short link that ends with it.
    let code: String

    /// The destination of the code.
    let link: String

    /// The label.
    ///
    /// Empty if there is none.
    let label: String
}

/// The columns of a file of short links.
///
/// Firebase's export (firebase.google.com/support/guides/export-dynamic-links) has 29 columns, of which only
/// `short_link` and `link` are read. The guide calls them "Short link" and "Deep link (link)". The data that the other
/// columns give to pages and apps comes from the catalog.
struct ImportColumns {
    private let code: Int
    private let link: Int
    private let label: Int?

    /// Finds the columns of Firebase's export.
    ///
    /// - Throws: ``CommandError`` of code 65 if one is missing.
    init(firebase table: CSVTable) throws(CommandError) {
        code = try table.column("short_link")
        link = try table.column("link", "deep link (link)", "deep_link")
        label = nil
    }

    /// Finds the columns `code` and `link`, and the optional `label`.
    ///
    /// - Throws: ``CommandError`` of code 65 if one is missing.
    init(plain table: CSVTable) throws(CommandError) {
        code = try table.column("code", "short_link")
        link = try table.column("link")
        label = table.header.column(named: "label")
        table.tellUnread(besides: [code, link] + (label.map { [$0] } ?? []))
    }

    /// Returns the fields of a row by their columns.
    func row(_ row: CSVRow) -> ImportedRow {
        ImportedRow(
            line: row.line,
            code: row.text(at: code),
            link: row.text(at: link),
            label: label.map { row.text(at: $0) } ?? ""
        )
    }
}
