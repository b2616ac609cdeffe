import HTTPTypes
import Hummingbird

/// Refuses requests that no endpoint would answer: too large, without a host, or for clients that read no JSON.
struct RequestChecks: RouterMiddleware {
    /// The most bytes of the request target, and of one header field with its name.
    static let maximumFieldByteCount = 16 * 1024

    /// The most bytes of all header fields.
    static let maximumHeaderByteCount = 32 * 1024

    /// The most header fields.
    static let maximumHeaderCount = 100

    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        try Self.check(request.head)
        return try await next(request, context)
    }

    private static func check(_ head: HTTPRequest) throws(Problem) {
        guard (head.path ?? "").utf8.count <= maximumFieldByteCount else {
            throw Problem(
                .uriTooLong,
                "The request target is over \(maximumFieldByteCount) bytes; send the link in a POST body.",
                [.init("limit", maximumFieldByteCount)]
            )
        }
        guard head.headerFields.count <= maximumHeaderCount else {
            throw headersTooLarge("There are over \(maximumHeaderCount) header fields.", limit: maximumHeaderCount)
        }
        var total = 0
        for field in head.headerFields {
            let count = field.name.rawName.utf8.count + field.value.utf8.count
            guard count <= maximumFieldByteCount else {
                throw headersTooLarge(
                    "The header field \(field.name.rawName) is over \(maximumFieldByteCount) bytes.",
                    limit: maximumFieldByteCount
                )
            }
            total += count
        }
        guard total <= maximumHeaderByteCount else {
            throw headersTooLarge(
                "The header fields are over \(maximumHeaderByteCount) bytes in all.",
                limit: maximumHeaderByteCount
            )
        }
        guard head.authority?.isEmpty == false else {
            throw .invalidRequest(field: "Host", .missing, "The request has no `Host`.")
        }
        if let host = HTTPField.Name("Host"), head.headerFields.contains(host) {
            throw .invalidRequest(field: "Host", .duplicate, "The request has two `Host` fields.")
        }
        let type = Self.isBatch(head.path ?? "") ? MediaType.ndjson : .json
        guard AcceptHeader.allows(type, head.headerFields[values: .accept]) else {
            throw Problem(.notAcceptable, "Answers are \(type.rawValue); let `Accept` allow it.")
        }
    }

    private static func isBatch(_ target: String) -> Bool {
        target.utf8.prefix { $0 != UInt8(ascii: "?") }.elementsEqual(BatchEndpoint.path.utf8)
    }

    static func headersTooLarge(_ detail: String, limit: Int) -> Problem {
        Problem(.headersTooLarge, detail, [.init("limit", limit)])
    }
}
