import DeepLinkCore
import DeepLinkFormats
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

    private let framer: RequestFramer
    private let limits: ConnectionLimits
    private let load: ServerLoad
    private let now: @Sendable () -> Timestamp

    /// Requests that were let through, also in part, and whose answers have not ended.
    private var answersDue = 0

    /// The request whose head was let through, and whose end has not come.
    private var reading: IncomingRequest?

    /// How far the oldest answer that is due has got.
    private var answer = AnswerProgress.waiting

    /// How the connection ends, as far as that is known.
    private var ending = ConnectionEnding.open

    /// Whether the newest request is of HTTP/1.0, which knows no chunks.
    private var isOldVersion = false

    /// Whether the server stops, so that the connection ends once nothing is due.
    private var isQuiescing = false

    init(_ framer: RequestFramer, _ limits: ConnectionLimits, _ environment: ServiceEnvironment) {
        self.framer = framer
        self.limits = limits
        load = environment.load
        now = environment.now
    }

    func channelInactive(context: ChannelHandlerContext) {
        for _ in 0..<answersDue { load.requestEnded() }
        answersDue = 0
        ending = .done
        context.fireChannelInactive()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard ending.readsOn else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard ending.isOpen else { return }
            begin(head, context)
        case .body(let buffer):
            if reading?.hasLines == true, buffer.readableBytesView.contains(UInt8(ascii: "\n")) { framer.lineEnded() }
            context.fireChannelRead(data)
        case .end(let trailers):
            reading = nil
            // A field there may have told the parser that the connection ends.
            if trailers != nil { ending = .afterNewest }
            if case .afterNewest = ending { framer.discard() }
            context.fireChannelRead(data)
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var head = head
        let length: RequestBodyLength
        do throws(Problem) {
            length = try RequestHeadRules.apply(to: &head)
        } catch {
            refuse(error, ofHead: head.method == .HEAD, context)
            return
        }
        answersDue += 1
        load.requestBegan()
        isOldVersion = head.version != .http1_1
        // The parser goes no further after a request to upgrade, which is answered as any other.
        if isOldVersion || head.headers.contains(name: "Upgrade") || head.headers.hasToken("close", in: "Connection") {
            ending = .afterNewest
            // The responder knows this spelling alone.
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        }
        framer.announce(length, teaching: length == .none && ending.isOpen ? head : nil)
        reading = IncomingRequest(head, length)
        continueIfDue(context)
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// Tells a client that waits for it to send its body (RFC 9110 §10.1.1), once that is the request at hand.
    private func continueIfDue(_ context: ChannelHandlerContext) {
        guard reading?.awaitsContinue == true, answersDue == 1 else { return }
        reading?.awaitsContinue = false
        context.writeAndFlush(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))),
            promise: nil
        )
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
        case .requestLine:
            .invalidRequest(
                field: "request",
                .malformed,
                "The first line is not `METHOD target HTTP/1.1` with one space between each."
            )
        case .tooManyBytes: .tooManyBytes
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
        guard !ending.isDone else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head): context.write(wrapOutboundOut(.head(begun(head))), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            answersDue -= 1
            let isLast = answer == .begunAsLast || answersDue == 0 && endsOnceAnswered
            answer = .waiting
            let isSent = promise ?? context.eventLoop.makePromise()
            let load = load
            // What is not sent yet is still under way.
            isSent.futureResult.whenComplete { _ in load.requestEnded() }
            guard !isLast else {
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
        var head = head
        let isNewest = answersDue == 1
        // The answer to lines begins early and ends late, unless it refuses them all.
        let cutsOff = reading.map { !$0.isShort && (!$0.hasLines || head.status.code >= 400) } ?? false
        answer = isNewest && (cutsOff || endsOnceAnswered || load.isDraining) ? .begunAsLast : .begun
        if answer == .begunAsLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        if isNewest, isOldVersion, !head.headers.contains(name: "Content-Length") { head.version = .http1_0 }
        return head
    }

    /// Whether the connection ends as soon as nothing is due.
    private var endsOnceAnswered: Bool {
        if case .afterNewest = ending { true } else { isQuiescing }
    }

    private func refuse(_ problem: Problem, ofHead isHead: Bool = false, _ context: ChannelHandlerContext) {
        guard ending.readsOn else { return }
        ending = .refused(problem, isHead: isHead)
        framer.discard()
        answerRefusalIfDue(context)
    }

    /// Writes the refusal once everything before it is answered; an answer that has begun is only cut off.
    private func answerRefusalIfDue(_ context: ChannelHandlerContext) {
        guard case .refused(let problem, let isHead) = ending, answersDue == (reading == nil ? 0 : 1) else { return }
        guard answer == .waiting else {
            context.close(promise: nil)
            return
        }
        let body = ByteBuffer(bytes: problem.json)
        var fields = problem.headers
        ResponseFields.complete(&fields)
        var headers = HTTPHeaders(fields.map { ($0.name.rawName, $0.value) })
        headers.add(name: "Content-Type", value: "application/problem+json")
        headers.add(name: "Content-Length", value: String(body.readableBytes))
        headers.add(name: "Date", value: String(decoding: HTTPDate.text(at: now()), as: UTF8.self))
        headers.add(name: "Connection", value: "close")
        let status = HTTPResponseStatus(
            statusCode: problem.code.status.code,
            reasonPhrase: problem.code.status.reasonPhrase
        )
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))),
            promise: nil
        )
        if !isHead { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        close(context, after: wrapOutboundOut(.end(nil)), context.eventLoop.makePromise())
    }

    /// Ends the connection with the end of an answer, once that is sent, so that the client can read it: what comes
    /// meanwhile is thrown away for a moment, since closing on unread bytes would make the system take the answer back.
    private func close(_ context: ChannelHandlerContext, after end: NIOAny, _ isSent: EventLoopPromise<Void>) {
        ending = .done
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
            guard answersDue == 0, !ending.isDone else { return }
            ending = .done
            framer.discard()
            // What was answered is sent before the end.
            finish(context)
        case let event as ChannelEvent where event == .inputClosed && ending.isDone:
            context.close(promise: nil)
            context.fireUserInboundEventTriggered(event)
        default: context.fireUserInboundEventTriggered(event)
        }
    }
}
