import DeepLinkCore
import DeepLinkFormats
import HTTPServer
import HTTPTypes

/// A media type that the API accepts or produces.
enum MediaType: String {
    case json = "application/json"

    /// One JSON value a line.
    case ndjson = "application/x-ndjson"

    /// Comma-separated values with a line of names (RFC 4180), in UTF-8.
    case csv = "text/csv; charset=utf-8; header=present"

    /// A catalog in the format of its file (RFC 9512).
    case yaml = "application/yaml"

    /// A page, in UTF-8.
    case html = "text/html; charset=utf-8"

    /// An image (SVG 2).
    case svg = "image/svg+xml"

    /// Plain text, in UTF-8.
    case text = "text/plain; charset=utf-8"

    /// Metrics in the text format of Prometheus.
    case prometheus = "text/plain; version=0.0.4; charset=utf-8"

    /// The type without its parameters.
    var essence: String {
        switch self {
        case .json, .ndjson, .yaml, .svg: rawValue
        case .csv: "text/csv"
        case .html: "text/html"
        case .text, .prometheus: "text/plain"
        }
    }

    /// The media range that covers all types like this one (RFC 9110 §12.5.1).
    var range: String {
        switch self {
        case .json, .ndjson, .yaml: "application/*"
        case .svg: "image/*"
        case .csv, .html, .text, .prometheus: "text/*"
        }
    }

    /// Checks that a body is sent without a content coding, since a compressed one would be misread.
    ///
    /// - Throws: `Problem` with the code `unsupported-media-type`, with `identity` in `Accept-Encoding` (RFC 9110
    ///   §15.5.16).
    private static func requirePlain(_ encodings: FieldValues) throws(Problem) {
        guard
            let coding = encodings.all.lazy.flatMap({ FieldParts(of: $0, at: ",") })
                .first(where: { part in
                    !part.isEmpty && !part.isWord("identity")
                })
        else { return }
        throw Problem(
            .unsupportedMediaType,
            detail: "The body has the `Content-Encoding` \(String(Substring(coding))); send it as it is, without one.",
            headers: [.acceptEncoding: "identity"]
        )
    }

    /// Returns whether a body is declared as this type.
    func isDeclared(by types: FieldValues) -> Bool {
        var parts = types.first.map { FieldParts(of: $0, at: ";") }
        return parts?.next()?.isWord(rawValue) == true
    }

    /// Checks that a body is declared as this type.
    ///
    /// A cross-site form cannot do so.
    ///
    /// - Throws: `Problem` with the code `unsupported-media-type`, with the type in `Accept` (RFC 9110 §12.5.1).
    func require(of types: FieldValues, encoded encodings: FieldValues) throws(Problem) {
        let contentType = types.first
        if encodings.count == 0, contentType?.bytewise == rawValue.bytewise { return }
        try Self.requirePlain(encodings)
        var parts = contentType.map { FieldParts(of: $0, at: ";") }
        guard parts?.next()?.isWord(rawValue) == true else {
            throw Problem(
                .unsupportedMediaType,
                detail: contentType.map { "The body is declared as \($0); send `Content-Type: \(rawValue)`." }
                    ?? "The body's type is not declared; send `Content-Type: \(rawValue)`.",
                headers: [.accept: rawValue]
            )
        }
    }
}

/// The header field `Accept` (RFC 9110 §12.5.1), for the acceptable types of a response.
enum AcceptHeader {
    /// Returns whether a media type is acceptable.
    ///
    /// Without a field, every type is.
    ///
    /// The most specific matching range applies, and its weight must not be zero.
    ///
    /// - Complexity: linear in the bytes of the fields.
    static func allows(_ type: MediaType, by fields: FieldValues) -> Bool {
        guard fields.contains(where: { !$0.isEmpty }) else { return true }
        var best = (specificity: 0, isAllowed: false)
        for field in fields.all {
            for range in FieldParts(of: field, at: ",") {
                var parts = FieldParts(range, at: ";")
                guard let essence = parts.next() else { continue }
                let specificity = specificity(of: essence, for: type)
                guard specificity > best.specificity else { continue }
                best = (specificity, !parts.contains(where: isZeroWeight))
            }
        }
        return best.isAllowed
    }

    /// Returns whether a field names a media type explicitly, with a weight that is not zero.
    static func names(_ type: MediaType, in fields: FieldValues) -> Bool {
        fields.contains { field in
            FieldParts(of: field, at: ",")
                .contains { range in
                    var parts = FieldParts(range, at: ";")
                    return parts.next()?.isWord(type.essence) == true && !parts.contains(where: isZeroWeight)
                }
        }
    }

    /// Returns the specificity of a media range for a type: 3 for the type itself, 2 for its first half, 1 for every
    /// type, 0 for others.
    private static func specificity(of range: Substring.UTF8View, for type: MediaType) -> Int {
        if range.isWord(type.essence) { return 3 }
        if range.isWord(type.range) { return 2 }
        return range.isWord("*/*") ? 1 : 0
    }

    /// Returns whether a parameter is a weight of zero (RFC 9110 §12.4.2): `q=0`, with up to three zeros after a dot.
    private static func isZeroWeight(_ parameter: Substring.UTF8View) -> Bool {
        guard parameter.prefix(2).isWord("q=") else { return false }
        let weight = parameter.dropFirst(2)
        return weight.first == UInt8(ascii: "0")
            && weight.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    }
}
