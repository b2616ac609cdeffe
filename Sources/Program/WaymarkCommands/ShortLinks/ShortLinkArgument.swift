import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The codes, hosts, labels and destinations of short links in arguments of commands.
enum ShortLinkArgument {
    /// Reads a code, or the code of a short link.
    static func code(_ text: String) throws(CommandError) -> ShortLinkCode {
        if let code = ShortLinkCode(text.codeOfShortLink) { return code }
        throw CommandError.usage(
            "`\(text)` isn't a code: \(ShortLinkCode.minimumCount) to \(ShortLinkCode.maximumCount) of A–Z, a–z, "
                + "0–9, - and _, or a short link that ends with one."
        )
    }

    /// Reads the code of a new link.
    static func newCode(_ text: String) throws(CommandError) -> ShortLinkCode {
        guard let code = ShortLinkCode(text) else { return try code(text) }
        guard !ReservedPath.contains(code.folded.text) else {
            throw CommandError.usage("`\(text)` is a path of the server's own; choose another code.")
        }
        return code
    }

    /// Reads a host of short links.
    static func host(_ text: String, in catalog: RouteCatalog) throws(CommandError) -> String {
        let hosts = catalog.shortLinkOrigins.flatMap(\.hosts)
        let host = Origin.host(text, ofScheme: "https")
        if hosts.contains(where: { $0.bytewise == host.bytewise }) { return host }
        throw CommandError.usage(
            "`\(text)` isn't a host of short links. The hosts are \(hosts.joined(separator: ", "))."
        )
    }

    /// Reads the label of a new link.
    static func newLabel(_ text: String) throws(CommandError) -> ShortLinkLabel {
        let label = try label(text)
        guard label.text.bytewise != ShortLinkLabel.others else {
            throw CommandError.usage("`…` stands for all further labels in counts. Choose another label.")
        }
        return label
    }

    /// Reads a label.
    static func label(_ text: String) throws(CommandError) -> ShortLinkLabel {
        if let label = ShortLinkLabel(text) { return label }
        throw CommandError.usage(
            "a label has 1 to \(ShortLinkLabel.maximumByteCount) bytes of UTF-8 without control characters."
        )
    }
}
