import Foundation
import HTTPTypes

/// Names a media type that the API takes or gives.
enum MediaType: String {
    case json = "application/json"

    /// One JSON value a line.
    case ndjson = "application/x-ndjson"

    /// Requires a body to be declared as this type, which a cross-site form cannot do.
    ///
    /// - Throws: ``Problem`` of code `unsupported-media-type`, with the type in `Accept` (RFC 9110 §12.5.1).
    func require(_ contentType: String?) throws(Problem) {
        // As nearly everybody writes it: what follows costs more than to read the body.
        if contentType == rawValue { return }
        let essence = contentType?.split(separator: ";", omittingEmptySubsequences: false).first ?? ""
        guard essence.trimmingCharacters(in: .whitespaces).lowercased() == rawValue else {
            throw Problem(
                .unsupportedMediaType,
                contentType.map { "The body is declared as \($0); send `Content-Type: \(rawValue)`." }
                    ?? "The body's type is not declared; send `Content-Type: \(rawValue)`.",
                headers: [.accept: rawValue]
            )
        }
    }
}
