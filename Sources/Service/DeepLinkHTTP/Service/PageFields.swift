import Crypto
import DeepLinkWeb
import Foundation
import HTTPTypes

/// The header fields of a catalog's pages.
///
/// A page may use its style sheet, show the catalog's images and run the script of its button, and nothing else, and
/// must not be indexed.
struct PageFields {
    private let common: HTTPFields

    /// The source expressions of the style sheet and of the script (CSP Level 3 §2.3.1).
    private let style: String
    private let script: String

    /// Creates the fields of pages with a style sheet.
    init(_ style: PageStyle) {
        func source(_ bytes: some DataProtocol) -> String {
            "'sha256-\(Data(SHA256.hash(data: bytes)).base64EncodedString())'"
        }
        self.style = source(style.sheet)
        script = PageScript.copy.withUTF8Buffer { source(Data($0)) }
        var fields = LinkDomain.varying
        // Each page sets these two, at this position.
        fields[.contentSecurityPolicy] = ""
        fields[.cacheControl] = ""
        if let name = HTTPField.Name("X-Robots-Tag") { fields[name] = "noindex" }
        if let name = HTTPField.Name("Referrer-Policy") { fields[name] = "no-referrer" }
        common = fields
    }

    /// Returns the fields of a page.
    func fields(of page: LinkPage) -> HTTPFields {
        var policy = "default-src 'none'; style-src \(style); "
        if page.hasScript { policy += "script-src \(script); " }
        if !page.images.isEmpty { policy += "img-src \(page.images.map(Self.source).joined(separator: " ")); " }
        policy += "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        var fields = common
        fields[.contentSecurityPolicy] = policy
        fields[.cacheControl] = page.maxAge > 0 ? "public, max-age=\(page.maxAge)" : "no-store"
        return fields
    }

    /// Returns the source expression of an address, without its query, and with the characters encoded that would end
    /// the expression.
    private static func source(_ address: String) -> String {
        let end = address.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? address.endIndex
        let source = address.utf8[..<end]
        guard source.contains(where: { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }) else {
            return String(Substring(source))
        }
        return String(Substring(source)).replacing(";", with: "%3B").replacing(",", with: "%2C")
    }
}
