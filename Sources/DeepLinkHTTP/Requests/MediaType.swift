import DeepLinkFormats
import HTTPTypes

/// A media type that the API takes or gives.
enum MediaType: String {
    case json = "application/json"

    /// One JSON value a line.
    case ndjson = "application/x-ndjson"

    /// A catalog as its file has it (RFC 9512).
    case yaml = "application/yaml"

    /// Requires a body to be declared as this type, which a cross-site form cannot do.
    ///
    /// - Throws: `Problem` of code `unsupported-media-type`, with the type in `Accept` (RFC 9110 §12.5.1).
    func require(_ contentType: String?) throws(Problem) {
        var parts = contentType.map { FieldParts(of: $0, at: ";") }
        guard parts?.next()?.isWord(rawValue) == true else {
            throw Problem(
                .unsupportedMediaType,
                contentType.map { "The body is declared as \($0); send `Content-Type: \(rawValue)`." }
                    ?? "The body's type is not declared; send `Content-Type: \(rawValue)`.",
                headers: [.accept: rawValue]
            )
        }
    }
}
