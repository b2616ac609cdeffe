import DeepLinkFormats
import HTTPTypes
import Hummingbird

extension JSONObjectBody {
    /// The most bytes of a body.
    static let maximumByteCount = 1024 * 1024

    /// Refuses a body, or a line of a batch, that is over the limit.
    static let tooLarge = Problem(
        .bodyTooLarge,
        "The body is over \(maximumByteCount) bytes.",
        [.init("limit", maximumByteCount)]
    )

    /// Receives a request's body whole; its bytes are counted as kept while they come.
    ///
    /// - Throws: `Problem`, of code `unsupported-media-type`, `body-too-large`, `overloaded` or `invalid-request`.
    static func receive(_ request: Request, keeping kept: inout KeptBytes) async throws -> [UInt8] {
        let declared = request.headers[.contentLength].flatMap { Int($0) }
        guard declared ?? 0 <= maximumByteCount else { throw tooLarge }
        var bytes: [UInt8] = []
        for try await buffer in request.body {
            guard bytes.count + buffer.readableBytes <= maximumByteCount else { throw tooLarge }
            guard kept.become(bytes.count + buffer.readableBytes) else { throw Problem.tooManyBytes }
            bytes += buffer.readableBytesView
        }
        // A connection that is cut ends the body as if it were whole.
        guard declared == nil || declared == bytes.count else {
            throw Problem.invalidRequest(field: "body", .malformed, "The body ended before its Content-Length.")
        }
        return bytes
    }
}
