import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The output of short links.
enum ShortLinkOutput {
    /// Prints one line for each link, with its state by a catalog.
    static func print(_ links: [ShortLink], format: OutputFormat, catalog: RouteCatalog) {
        let now = Clock.now()
        var table = TextTable()
        for link in links {
            switch format {
            case .json: JSONOutput.print(ShortLinkBody(link, at: now, in: catalog, for: .admin))
            case .text:
                table.append([
                    address(of: link, in: catalog),
                    ShortLinkState(of: link.contents, at: now, in: catalog).name,
                    link.contents.target.text,
                    link.contents.label.map { "label \($0.text)" } ?? "",
                    link.contents.expires.map { "until \($0.rfc3339)" } ?? "",
                ])
            }
        }
        // One call for a page: each takes the lock of standard output, and there may be millions of lines.
        if format == .text { Swift.print(table.lines.map { $0 + "\n" }.joined(), terminator: "") }
    }

    /// Returns the short link as it is sent; the code alone by a catalog without short links.
    static func address(of link: ShortLink, in catalog: RouteCatalog) -> String {
        let code = link.code.text
        return catalog.shortLink(code, host: link.contents.host) ?? catalog.shortLink(code) ?? code
    }
}
