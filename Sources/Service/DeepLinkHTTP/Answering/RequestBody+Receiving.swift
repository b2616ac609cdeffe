import DeepLinkFormats
import HummingbirdCore
import NIOCore

extension RequestBody {
    /// Receives the whole body.
    ///
    /// Its bytes are counted as buffered while they arrive.
    ///
    /// - Throws: `Problem` with the code `body-too-large`, `overloaded` or `invalid-request`.
    func receive(declaredBy fields: borrowing RequestFields, keeping kept: inout KeptBytes) async throws -> [UInt8] {
        let declared = fields.contentLength.first.flatMap { Int($0) }
        guard declared ?? 0 <= JSONObjectBody.maximumByteCount else { throw JSONObjectBody.tooLarge }
        var bytes: [UInt8] = []
        for try await buffer in self {
            let count = bytes.count + buffer.readableBytes
            guard count <= JSONObjectBody.maximumByteCount else { throw JSONObjectBody.tooLarge }
            guard kept.become(count) else { throw Problem.tooManyBytes }
            bytes += buffer.readableBytesView
        }
        // A connection that breaks ends the body as if it were complete.
        guard declared == nil || declared == bytes.count else {
            throw Problem.invalidRequest(
                field: "body",
                reason: .malformed,
                detail: "The body ended before its Content-Length."
            )
        }
        return bytes
    }
}

extension JSONObjectBody {
    /// The maximum size of a body, in bytes.
    static let maximumByteCount = 1024 * 1024

    /// The problem for a body, or a line of a batch, that exceeds the limit.
    static let tooLarge = Problem(
        .bodyTooLarge,
        detail: "The body is over \(maximumByteCount) bytes.",
        extensions: [.init("limit", number: maximumByteCount)]
    )
}
