import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Answers bytes that are no HTTP request with a problem, and closes the connection.
///
/// Hummingbird would answer with an empty 400, also where header fields are too large to be parsed.
final class ParserProblemHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else {
            context.fireErrorCaught(error)
            return
        }
        let problem =
            error == .headerOverflow
            ? RequestChecks.headersTooLarge(
                "The request target or the header fields are too large to be read.",
                limit: RequestChecks.maximumHeaderByteCount
            )
            : Problem.invalidRequest(field: "request", .malformed, "The bytes are no HTTP/1.1 request: \(error).")
        let body = ByteBuffer(bytes: problem.json)
        var head = HTTPResponse(status: problem.code.status)
        head.headerFields[.contentType] = "application/problem+json"
        head.headerFields[.contentLength] = String(body.readableBytes)
        head.headerFields[.connection] = "close"
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        let isWritten = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: isWritten)
        let channel = context.channel
        isWritten.futureResult.whenComplete { _ in channel.close(promise: nil) }
    }
}
