import DeepLinkFormats
import HTTPServer
import HTTPTypes

extension Problem {
    /// Creates the problem of a request that the server itself refuses.
    init(_ fault: RequestFault) {
        self =
            switch fault {
            case .framing(let fault): Problem(fault)
            case .unreadable(let reason):
                .malformedRequest("request", detail: "The bytes aren't an HTTP/1.1 request: \(reason).")
            case .method: .malformedRequest("request", detail: "The method isn't a token.")
            case .tunnel:
                Problem(
                    .methodNotAllowed,
                    detail: "This server isn't a proxy.",
                    headers: [.allow: "GET, HEAD, OPTIONS"]
                )
            case .target: .malformedRequest("target", detail: "The request target does not begin with a slash.")
            case .targetTooLong: .targetTooLong
            case .tooManyFields:
                .headersTooLarge(
                    "There are over \(RequestHeadRules.maximumHeaderCount) header fields.",
                    limit: RequestHeadRules.maximumHeaderCount
                )
            case .fieldTooLong(let name):
                .headersTooLarge(
                    "The header field \(name) is over \(RequestHeadRules.maximumFieldByteCount) bytes.",
                    limit: RequestHeadRules.maximumFieldByteCount
                )
            case .fieldsTooLarge:
                .headersTooLarge(
                    "The header fields are over \(RequestHeadRules.maximumHeaderByteCount) bytes in all.",
                    limit: RequestHeadRules.maximumHeaderByteCount
                )
            case .host(let fault): Problem(fault)
            case .transferEncoding:
                .invalidValue(
                    field: "Transfer-Encoding",
                    detail: "Only `Transfer-Encoding: chunked` of HTTP/1.1, without `Content-Length`, is understood."
                )
            case .contentLength:
                .malformedRequest("Content-Length", detail: "`Content-Length` isn't one number of bytes.")
            case .bodyTooLarge: JSONObjectBody.tooLarge
            case .tooManyBytes: .tooManyBytes
            case .tooManyConnections: .tooManyConnections
            }
    }

    private init(_ fault: RequestFault.Framing) {
        self =
            switch fault {
            case .requestLine:
                .malformedRequest(
                    "request",
                    detail: "The first line is not `METHOD target HTTP/1.1` with one space between each."
                )
            case .tooManyBytes: .tooManyBytes
            case .lineTooLong: .targetTooLong
            case .headTooLong, .trailersTooLong:
                .headersTooLarge(
                    "The header fields are too large to be read.",
                    limit: RequestHeadRules.maximumHeaderByteCount
                )
            case .chunkLength:
                .malformedRequest(
                    "body",
                    detail: "A chunk's length isn't a hexadecimal number, or has an extension."
                )
            case .chunkEnd: .malformedRequest("body", detail: "A chunk is longer than its length says.")
            }
    }

    private init(_ fault: RequestFault.Host) {
        self =
            switch fault {
            case .missing:
                .missing(field: "Host", detail: "The request has no `Host`.")
            case .duplicate:
                .duplicate(field: "Host", detail: "The request has two `Host` fields.")
            case .malformed: .malformedRequest("Host", detail: "`Host` is not one host name with at most a port.")
            case .signedPort: .malformedRequest("Host", detail: "The port of `Host` has a sign.")
            case .notRedirectable:
                .malformedRequest(
                    "Host",
                    detail: "`Host` and the target name no address that could be that of a redirect."
                )
            }
    }

    private static func malformedRequest(_ field: String, detail: String) -> Problem {
        .malformed(field: field, detail: detail)
    }

    private static var targetTooLong: Problem {
        let limit = RequestHeadRules.maximumFieldByteCount
        return Problem(
            .uriTooLong,
            detail: "The request target is over \(limit) bytes; send the link in a POST body.",
            extensions: [.init("limit", number: limit)]
        )
    }

    private static func headersTooLarge(_ detail: String, limit: Int) -> Problem {
        Problem(.headersTooLarge, detail: detail, extensions: [.init("limit", number: limit)])
    }
}
