import HTTPTypes
import NIOCore
import NIOHTTP1

/// Lets requests through to the responder that can be told apart for sure, and decides when a connection ends.
///
/// Whatever is refused here is answered with a problem, in its turn: requests that were read whole before it are answered
/// first, since what was done must not be reported as refused. Then the connection is closed, and nothing more is read.
final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The most bytes that are read, to keep a connection, of a request that is answered before its end.
    private static let maximumDrainByteCount = 64 * 1024

    private let framer: RequestFramer
    private let limits: ConnectionLimits
    private let load: ServerLoad

    /// Requests that were let through, also in part, and whose answers have not ended.
    private var answersDue = 0

    /// Whether a request's head was let through, and its end has not come.
    private var isReading = false

    /// Whether the rest of the request being read is short enough to be waited for.
    private var isShort = false

    /// Whether the body of the request being read is lines.
    private var hasLines = false

    /// Whether the request being read waits for `100 Continue`.
    private var awaitsContinue = false

    /// Whether the oldest answer that is due has begun.
    private var hasBegunAnswer = false

    /// Whether the newest request that was let through is the last of the connection.
    private var isLast = false

    /// Whether the newest request is of HTTP/1.0, which knows no chunks.
    private var isOldVersion = false

    /// Whether the connection ends with the answer that has begun.
    private var closesAfterAnswer = false

    /// What the connection ends with, once the answers before are written.
    private var refusal: Problem?

    /// Whether the refused request is a `HEAD`, whose answer has no body.
    private var isHeadRefused = false

    /// Whether the server stops, so that the connection ends once nothing is due.
    private var isQuiescing = false

    /// Whether the last answer is written.
    private var isDone = false

    init(_ framer: RequestFramer, _ limits: ConnectionLimits, _ load: ServerLoad) {
        self.framer = framer
        self.limits = limits
        self.load = load
    }

    func channelInactive(context: ChannelHandlerContext) {
        for _ in 0..<answersDue { load.requestEnded() }
        answersDue = 0
        isDone = true
        context.fireChannelInactive()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard refusal == nil, !isDone else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard !isLast else { return }
            begin(head, context)
        case .body(let buffer):
            if hasLines, buffer.readableBytesView.contains(UInt8(ascii: "\n")) { framer.lineEnded() }
            context.fireChannelRead(data)
        case .end(let trailers):
            isReading = false
            awaitsContinue = false
            // A field there may have told the parser that the connection ends.
            if trailers != nil { isLast = true }
            if isLast { framer.discard() }
            context.fireChannelRead(data)
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var head = head
        let length: RequestBodyLength
        do throws(Problem) {
            length = try RequestHeadRules.apply(to: &head)
        } catch {
            isHeadRefused = head.method == .HEAD
            refuse(error, context)
            return
        }
        hasLines = RequestHeadRules.isBatch(head.uri)
        answersDue += 1
        load.requestBegan()
        isReading = true
        isShort = if case .bytes(let count) = length { count <= Self.maximumDrainByteCount } else { length == .none }
        isOldVersion = head.version != .http1_1
        // The parser goes no further after a request to upgrade, which is answered as any other.
        if isOldVersion || head.headers.contains(name: "Upgrade") || Self.hasToken("close", head.headers["Connection"])
        {
            isLast = true
            // The responder knows this spelling alone.
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        }
        framer.announce(length, teaching: length == .none && !isLast ? head : nil)
        awaitsContinue = !isOldVersion && length != .none && Self.hasToken("100-continue", head.headers["Expect"])
        continueIfDue(context)
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// Tells a client that waits for it to send its body (RFC 9110 §10.1.1), once that is the request at hand.
    private func continueIfDue(_ context: ChannelHandlerContext) {
        guard awaitsContinue, answersDue == 1 else { return }
        awaitsContinue = false
        context.writeAndFlush(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))),
            promise: nil
        )
    }

    private static func hasToken(_ token: String, _ fields: [String]) -> Bool {
        fields.contains { field in
            field.split(separator: ",").contains { $0.filter { $0 != " " && $0 != "\t" }.lowercased() == token }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let fault as RequestFraming.Fault: refuse(Self.problem(fault), context)
        case HTTPParserError.headerOverflow: refuse(Self.problem(RequestFraming.Fault.headTooLong), context)
        case let error as HTTPParserError:
            refuse(
                .invalidRequest(field: "request", .malformed, "The bytes are no HTTP/1.1 request: \(error)."),
                context
            )
        default: context.fireErrorCaught(error)
        }
    }

    private static func problem(_ fault: RequestFraming.Fault) -> Problem {
        switch fault {
        case .lineTooLong: RequestHeadRules.targetTooLong(RequestHeadRules.maximumFieldByteCount)
        case .headTooLong, .trailersTooLong:
            RequestHeadRules.headersTooLarge(
                "The header fields are too large to be read.",
                limit: RequestHeadRules.maximumHeaderByteCount
            )
        case .chunkLength:
            .invalidRequest(
                field: "body",
                .malformed,
                "A chunk's length is no hexadecimal number, or has an extension."
            )
        case .chunkEnd: .invalidRequest(field: "body", .malformed, "A chunk is longer than its length says.")
        }
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isDone else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head): context.write(wrapOutboundOut(.head(begun(head))), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            answersDue -= 1
            hasBegunAnswer = false
            let isSent = promise ?? context.eventLoop.makePromise()
            let load = load
            // What is not sent yet is still under way.
            isSent.futureResult.whenComplete { _ in load.requestEnded() }
            guard !closesAfterAnswer, answersDue > 0 || !(isLast || isQuiescing) else {
                close(context, after: data, isSent)
                return
            }
            context.write(data, promise: isSent)
            if answersDue == 0 { framer.allAnswered() }
            continueIfDue(context)
            answerRefusalIfDue(context)
        }
    }

    /// Begins an answer, and says in it whether the connection ends.
    private func begun(_ head: HTTPResponseHead) -> HTTPResponseHead {
        hasBegunAnswer = true
        var head = head
        let isNewest = answersDue == 1
        // The answer to lines begins early and ends late, unless it refuses them all.
        let cutsOff = isReading && !isShort && (!hasLines || head.status.code >= 400)
        closesAfterAnswer = isNewest && (cutsOff || isLast || isQuiescing || load.isDraining)
        if closesAfterAnswer { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        if isNewest, isOldVersion, !head.headers.contains(name: "Content-Length") { head.version = .http1_0 }
        return head
    }

    private func refuse(_ problem: Problem, _ context: ChannelHandlerContext) {
        guard refusal == nil, !isDone else { return }
        refusal = problem
        framer.discard()
        answerRefusalIfDue(context)
    }

    /// Writes the refusal once everything before it is answered; an answer that has begun is only cut off.
    private func answerRefusalIfDue(_ context: ChannelHandlerContext) {
        guard let problem = refusal, !isDone, answersDue == (isReading ? 1 : 0) else { return }
        guard !hasBegunAnswer else {
            context.close(promise: nil)
            return
        }
        let body = ByteBuffer(bytes: problem.json)
        var fields = problem.headers
        ResponseFields.complete(&fields)
        var headers = HTTPHeaders(fields.map { ($0.name.rawName, $0.value) })
        headers.add(name: "Content-Type", value: "application/problem+json")
        headers.add(name: "Content-Length", value: String(body.readableBytes))
        headers.add(name: "Connection", value: "close")
        let status = HTTPResponseStatus(
            statusCode: problem.code.status.code,
            reasonPhrase: problem.code.status.reasonPhrase
        )
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))),
            promise: nil
        )
        if !isHeadRefused { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        close(context, after: wrapOutboundOut(.end(nil)), context.eventLoop.makePromise())
    }

    /// Ends the connection with the end of an answer, once that is sent, so that the client can read it: what comes
    /// meanwhile is thrown away for a moment, since closing on unread bytes would make the system take the answer back.
    private func close(_ context: ChannelHandlerContext, after end: NIOAny, _ isSent: EventLoopPromise<Void>) {
        isDone = true
        framer.discard()
        isSent.futureResult.assumeIsolated().whenComplete { _ in self.finish(context) }
        context.writeAndFlush(end, promise: isSent)
    }

    private func finish(_ context: ChannelHandlerContext) {
        context.close(mode: .output, promise: nil)
        context.eventLoop.assumeIsolated().scheduleTask(in: limits.linger) { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isQuiescing = true
            guard answersDue == 0, !isDone else { return }
            isDone = true
            framer.discard()
            // What was answered is sent before the end.
            finish(context)
        case let event as ChannelEvent where event == .inputClosed && isDone:
            context.close(promise: nil)
            context.fireUserInboundEventTriggered(event)
        default: context.fireUserInboundEventTriggered(event)
        }
    }
}
