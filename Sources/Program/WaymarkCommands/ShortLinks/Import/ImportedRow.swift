import DeepLinkFormats

/// A short link of another service, as a row of its export has it.
struct ImportedRow: Sendable {
    /// The line of the file, from 1.
    let line: Int

    /// The code as written, or the short link that ends with it.
    let code: String

    /// The link that the code leads to.
    let link: String

    /// The label; empty for none.
    let label: String
}

/// The columns of a file of short links.
///
/// Firebase's export (firebase.google.com/support/guides/export-dynamic-links) has 29 columns, of which `short_link` and
/// `link` count; the guide calls them "Short link" and "Deep link (link)". What pages and apps are told by the others, the
/// catalog says.
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

    /// Finds the columns `code`, `link` and, if there is one, `label`.
    ///
    /// - Throws: ``CommandError`` of code 65 if one is missing.
    init(plain table: CSVTable) throws(CommandError) {
        code = try table.column("code", "short_link")
        link = try table.column("link")
        label = table.header.column(named: "label")
        table.tellUnread(besides: [code, link] + (label.map { [$0] } ?? []))
    }

    /// Returns what a row says.
    func row(_ row: CSVRow) -> ImportedRow {
        ImportedRow(
            line: row.line,
            code: row.text(at: code),
            link: row.text(at: link),
            label: label.map { row.text(at: $0) } ?? ""
        )
    }
}
