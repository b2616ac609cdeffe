import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Answers bytes that are no HTTP request with a problem, in their turn, and closes the connection.
///
/// Hummingbird would answer with an empty 400, also where header fields are too large to be parsed. Requests that
/// were read whole before the fault are answered first: what was done must not be reported as refused.
final class ParserProblemHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Requests read whole and not yet answered.
    private var answersDue = 0

    /// Whether a request's head has been read, and its end has not.
    private var isReading = false

    /// Whether the response to the request being read has begun.
    private var hasBegunEarlyAnswer = false

    private var problem: Problem?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: isReading = true
        case .body: break
        case .end:
            isReading = false
            answersDue += hasBegunEarlyAnswer ? 0 : 1
            hasBegunEarlyAnswer = false
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        if case .head = part, answersDue == 0, isReading { hasBegunEarlyAnswer = true }
        context.write(data, promise: promise)
        guard case .end = part else { return }
        if answersDue > 0 { answersDue -= 1 }
        answerIfDue(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else {
            context.fireErrorCaught(error)
            return
        }
        problem =
            error == .headerOverflow
            ? RequestChecks.headersTooLarge(
                "The request target or the header fields are too large to be read.",
                limit: RequestChecks.maximumHeaderByteCount
            )
            : Problem.invalidRequest(field: "request", .malformed, "The bytes are no HTTP/1.1 request: \(error).")
        answerIfDue(context)
    }

    /// Writes the problem once everything before it is answered; an answer that has begun is only cut off.
    private func answerIfDue(_ context: ChannelHandlerContext) {
        guard let problem, answersDue == 0 else { return }
        self.problem = nil
        guard !hasBegunEarlyAnswer else {
            context.close(promise: nil)
            return
        }
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
