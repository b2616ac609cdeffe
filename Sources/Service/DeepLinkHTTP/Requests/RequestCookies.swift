import DeepLinkCore
import DeepLinkFormats

/// The cookies of a request (RFC 6265 §4.2).
struct RequestCookies {
    private let pairs: [(name: String, value: String)]

    /// Reads the cookies of a request for the console; no other request's are taken from its head.
    init(_ fields: borrowing RequestFields) {
        pairs = fields.cookies.utf8.split(separator: UInt8(ascii: ";"))
            .compactMap { part in
                let pair = part.drop { $0 == UInt8(ascii: " ") }
                guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
                return (String(Substring(pair[..<sign])), String(Substring(pair[pair.index(after: sign)...])))
            }
    }

    /// Returns the value of a cookie; `nil` if there is none, or several have the name, of which one is a stranger's.
    subscript(name: String) -> String? {
        let found = pairs.filter { $0.name.bytewise == name.bytewise }
        return found.count == 1 ? found[0].value : nil
    }

    /// Returns the names that begin with a text, in their order.
    func names(beginningWith prefix: String) -> [String] {
        pairs.map(\.name).filter { $0.utf8.starts(with: prefix.utf8) }
    }
}
