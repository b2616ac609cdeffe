import DeepLinkFormats
import NIOHTTP1

extension HTTPHeaders {
    /// Returns whether a field that lists tokens has one, whatever its case (RFC 9110 §5.6.1).
    func hasToken(_ token: String, in name: String) -> Bool {
        self[name].contains { field in FieldParts(of: field, at: ",").contains { $0.isWord(token) } }
    }
}
