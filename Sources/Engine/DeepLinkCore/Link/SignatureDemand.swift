/// The signature that a link to a signed route requires, and the signatures that the link has.
///
/// It is found while the stack is built, and passed on in plans, denials and updates. Core finds the signed text, and
/// the holder of the keys verifies it. The demand is a class, so that plans of unsigned links, which are the most
/// frequent, stay small.
package final class SignatureDemand: Sendable {
    /// The query keys of a signature, in the order in which links print them.
    package static let keys = ["exp", "sig"]

    /// The first destination from the root that requires a signature.
    package let route: String

    /// The canonical path and query of the link, without scheme and host: the signed text.
    ///
    /// It is the same under every origin. If the stack has no canonical link, it is `nil`, and every signature is
    /// invalid.
    package let target: [UInt8]?

    /// The values of `sig`, in the order of the link, or `nil` for a key without one.
    package let signatures: [String?]

    /// The values of `exp`, in the order of the link, or `nil` for a key without one.
    package let expiries: [String?]

    init(route: String, target: [UInt8]?, signatures: [String?], expiries: [String?]) {
        self.route = route
        self.target = target
        self.signatures = signatures
        self.expiries = expiries
    }
}

extension SignatureDemand {
    /// Appends a signature to a link, as the last keys of its query.
    ///
    /// - Parameters:
    ///   - link: a link without a fragment.
    ///   - signature: the value of `sig`.
    ///   - expiry: the value of `exp`, or `nil` for a link that does not expire.
    /// - Returns: the signed link.
    package static func link(_ link: String, signature: String, expiry: String?) -> String {
        var bytes = Array(link.utf8)
        func append(_ key: String, value: String) {
            bytes.append(bytes.contains(ASCII.question) ? ASCII.ampersand : ASCII.question)
            bytes += Array(key.utf8)
            bytes.append(ASCII.equals)
            PercentEncoding.append(value, to: &bytes)
        }
        if let expiry { append("exp", value: expiry) }
        append("sig", value: signature)
        return bytes.asText
    }

    /// Returns a link to the same stack with the signature of the demand's link, or the link itself if that has none.
    package func signing(_ link: String) -> String {
        guard signatures.count == 1, let signature = signatures[0], expiries.count <= 1 else { return link }
        return Self.link(link, signature: signature, expiry: expiries.first ?? nil)
    }
}
