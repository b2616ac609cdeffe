import DeepLinkFormats
import NIOHTTP1

extension Problem {
    /// Creates the problem for bytes that cannot be framed.
    init(_ fault: RequestFramingParser.FramingError) {
        self =
            switch fault {
            case .requestLine:
                .malformed(
                    field: "request",
                    detail: "The first line is not `METHOD target HTTP/1.1` with one space between each."
                )
            case .tooManyBytes: .tooManyBytes
            case .lineTooLong: RequestHeadRules.targetTooLong(RequestHeadRules.maximumFieldByteCount)
            case .headTooLong, .trailersTooLong:
                RequestHeadRules.headersTooLarge(
                    "The header fields are too large to be read.",
                    limit: RequestHeadRules.maximumHeaderByteCount
                )
            case .chunkLength:
                .malformed(field: "body", detail: "A chunk's length isn't a hexadecimal number, or has an extension.")
            case .chunkEnd:
                .malformed(field: "body", detail: "A chunk is longer than its length says.")
            }
    }

    /// Creates the problem for bytes that SwiftNIO's parser cannot read.
    init(_ fault: HTTPParserError) {
        self =
            switch fault {
            case .headerOverflow: Problem(RequestFramingParser.FramingError.headTooLong)
            default:
                .malformed(field: "request", detail: "The bytes aren't an HTTP/1.1 request: \(fault).")
            }
    }
}
