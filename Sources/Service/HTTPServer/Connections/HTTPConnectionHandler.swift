import HTTPTypes
import NIOCore
import NIOHTTP1

/// The handler behind the parser that admits requests once their boundaries are certain, answers or defers them, and
/// decides when the connection closes.
///
/// A refusal here is a response in its turn: complete requests before it are answered first, since a change that
/// was made must not be reported as refused. Then the connection closes, and nothing more is read.
final class HTTPConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    let framer: RequestFramingHandler
    private let limits: ConnectionLimits
    private let application: any ServerApplication

    /// The application's side of the connection.
    private let responder: any ConnectionResponder

    /// The function that adds the part that answers deferred requests, behind this handler.
    private let addDeferredChannel: (any Channel, DeferredRequests) throws -> Void

    /// Whether complete requests that are deferred are answered in tasks of their own.
    let answersInTasks: Bool

    /// The requests for that part, or `nil` until it is added.
    private var deferred: DeferredRequests?

    /// The responses that are due, and their progress.
    private var answers: DueResponses

    /// The admitted request that is still arriving, or `nil` for none.
    private var reading: IncomingRequest?

    /// Whether the address of the peer is needed, and not known yet.
    private var wantsPeer: Bool

    /// The end of the connection, as far as it is known.
    private(set) var ending = ConnectionEnding.open

    /// Whether the connection closes once no response is due: the server is stopping, or the connection lacks a place.
    var isQuiescing = false

    /// The responses from the event loop that are not sent yet.
    let unsent: ResponseBuffer

    /// The task that answers a complete request.
    var answering = AnsweringTask()

    private var ids = RequestIDs()
    private var texts: RepeatedTexts

    init(
        _ framer: RequestFramingHandler,
        application: any ServerApplication,
        limits: ConnectionLimits,
        answersInTasks: Bool,
        addingDeferred addDeferredChannel: @escaping (any Channel, DeferredRequests) throws -> Void
    ) {
        self.framer = framer
        self.limits = limits
        self.application = application
        self.answersInTasks = answersInTasks
        self.addDeferredChannel = addDeferredChannel
        let responder = application.makeResponder()
        self.responder = responder
        wantsPeer = responder.wantsPeer
        texts = RepeatedTexts(own: application.ownFields)
        answers = DueResponses(of: responder, load: application.load)
        unsent = ResponseBuffer(framer, load: application.load) { application.secondsSinceEpoch }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        framer.answerPlain = { [unowned self] bytes in answerPlain(&bytes, in: context) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        answers.abandon()
        ending = .done
        answering.task?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { framer.answerPlain = nil }

    // MARK: Requests

    /// Answers or defers the plain request at the beginning of the bytes, if no other request precedes it.
    ///
    /// - Returns: whether the request was consumed. If not, SwiftNIO's parser reads it.
    private func answerPlain(_ bytes: inout ByteBuffer, in context: ChannelHandlerContext) -> Bool {
        guard ending.isOpen, answers.count == 0, reading == nil, takesAnswers(in: context),
            let request = PlainRequest(
                bytes.readableBytesUInt8Span,
                among: &texts,
                for: responder,
                id: { ids.id($0) }
            ),
            let body = bytes.getSlice(at: bytes.readerIndex + request.headByteCount, length: request.bodyByteCount)
        else { return false }
        learnPeer(in: context)
        bytes.moveReaderIndex(forwardBy: request.headByteCount + request.bodyByteCount)
        let (head, isLast) = (request.head, request.isLast)
        answers.expect(head, isOldVersion: false)
        if isLast { ending = .afterNewest }
        switch responder.begin(head, length: RequestBodyLength(of: body), whole: body) {
        // A client that has closed its side and sent nothing more needs no lingering close.
        case .respond(let response):
            write(response, in: context, lingers: !isLast || bytes.readableBytes > 0)
        case .wait(let byteCount, let response): wait(for: response, keeping: byteCount, in: context)
        case .defer(let request) where respond(to: request, whole: body, in: context): break
        case .defer(let request):
            guard framer.addParser(), handOver(request, in: context) else { break }
            if body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(body))) }
            context.fireChannelRead(wrapInboundOut(.end(nil)))
        case .readBody: break
        }
        return true
    }

    private func learnPeer(in context: ChannelHandlerContext) {
        guard wantsPeer else { return }
        responder.peer = context.remoteAddress
        wantsPeer = false
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard ending.readsOn else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard ending.isOpen else { return }
            begin(head, in: context)
        case .body(let part): take(part, in: context)
        case .end(let trailers):
            // A field there may have made the parser close the connection.
            if trailers != nil { ending = .afterNewest }
            if case .afterNewest = ending { framer.discard() }
            finishReading(trailers, in: context)
        }
    }

    private func begin(_ parsed: HTTPRequestHead, in context: ChannelHandlerContext) {
        learnPeer(in: context)
        var parsed = parsed
        let head: RequestHead
        let length: RequestBodyLength
        do throws(RequestFault) {
            head = try RequestHead(&parsed, for: responder, own: application.ownFields) { ids.id($0) }
            length = try RequestHeadRules.bodyLength(head, of: parsed.version)
        } catch {
            refuse(error, ofHead: parsed.method == .HEAD, in: context)
            return
        }
        answers.expect(head, isOldVersion: parsed.version != .http1_1)
        // The parser stops after a request to upgrade, which is answered like any other.
        if parsed.version != .http1_1 || head.fields.upgrade.count > 0 || head.fields.connection.hasToken("close") {
            ending = .afterNewest
        }
        framer.announce(length)
        reading = IncomingRequest(head, length: length, of: parsed.version)
        // Input after a waiting request must wait for its turn. A client that does not read its responses must wait,
        // too.
        guard answers.count == 1, takesAnswers(in: context) else {
            return `defer`(responder.deferring(head), in: context)
        }
        perform(responder.begin(head, length: length, whole: nil), in: context)
        continueIfDue(in: context)
    }

    /// Returns whether the client reads its responses, after passing on the buffered ones if they are many.
    private func takesAnswers(in context: ChannelHandlerContext) -> Bool {
        if unsent.areMany { unsent.handOver() }
        return context.channel.isWritable
    }

    private func take(_ part: ByteBuffer, in context: ChannelHandlerContext) {
        switch reading?.way {
        case nil, .dropped: return
        case .gathered:
            if case .defer(let request) = responder.take(part) {
                `defer`(request, in: context)
                context.fireChannelRead(wrapInboundOut(.body(part)))
                return
            }
            if !framer.keepBytes(responder.keptByteCount) {
                _ = responder.takeKeptBytes()
                let id = reading?.head.id ?? ""
                perform(.respond(application.response(to: .tooManyBytes, id: id)), in: context)
            }
        case .deferred:
            if reading?.head.takesLines == true, part.readableBytesView.contains(UInt8(ascii: "\n")) {
                framer.lineEnded()
            }
            context.fireChannelRead(wrapInboundOut(.body(part)))
        }
    }

    private func finishReading(_ trailers: HTTPHeaders?, in context: ChannelHandlerContext) {
        guard let request = reading.take() else { return }
        switch request.way {
        case .dropped: return
        case .gathered: perform(responder.end(), in: context)
        case .deferred: context.fireChannelRead(wrapInboundOut(.end(trailers)))
        }
    }

    /// Performs a step of the current request.
    private func perform(_ step: ResponseStep, in context: ChannelHandlerContext) {
        switch step {
        case .readBody: reading?.way = .gathered
        case .defer(let request): `defer`(request, in: context)
        case .respond(let response):
            reading?.way = .dropped
            write(response, in: context)
        case .wait(let byteCount, let response):
            reading?.way = .dropped
            wait(for: response, keeping: byteCount, in: context)
        }
    }

    /// Defers the current request, with the part of it that has arrived.
    private func `defer`(_ request: any DeferredRequest, in context: ChannelHandlerContext) {
        reading?.way = .deferred
        let body = responder.takeKeptBytes()
        guard handOver(request, in: context) else { return }
        if !body.isEmpty { context.fireChannelRead(wrapInboundOut(.body(ByteBuffer(bytes: body)))) }
        continueIfDue(in: context)
    }

    /// Passes the head of a request, before its body, to the part of the connection that answers deferred ones.
    ///
    /// - Returns: whether that part exists. If not, the connection is closed.
    private func handOver(_ request: any DeferredRequest, in context: ChannelHandlerContext) -> Bool {
        unsent.handOver()
        let requests = deferred ?? DeferredRequests()
        do {
            if deferred == nil { try addDeferredChannel(context.channel, requests) }
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
            return false
        }
        deferred = requests
        requests.append(request)
        context.fireChannelRead(wrapInboundOut(.head(.standIn(closing: !ending.isOpen))))
        return true
    }

    /// Sends `100 Continue` to a client that expects it (RFC 9110 §10.1.1), once its request is the current one.
    private func continueIfDue(in context: ChannelHandlerContext) {
        guard reading?.awaitsContinue == true, answers.count == 1 else { return }
        reading?.awaitsContinue = false
        unsent.handOver()
        context.writeAndFlush(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))),
            promise: nil
        )
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if unsent.count > 0 { unsent.flush() }
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let fault as RequestFramingParser.FramingError: refuse(.framing(fault), in: context)
        case let fault as HTTPParserError: refuse(RequestFault(fault), in: context)
        default: context.fireErrorCaught(error)
        }
    }

    // MARK: Answers

    /// Writes a response from the event loop.
    func write(
        _ response: ServerResponse,
        in context: ChannelHandlerContext,
        lingers: Bool = true
    ) {
        let isLast = isLast(status: response.status.code)
        let response = answers.withAddedFields(response)
        let framing = answers.finish(response, isLast: isLast)
        unsent.append(response, framing: framing)
        if isLast { end(in: context, lingers: lingers) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !ending.isDone else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            answers.begin(&head, isLast: isLast(status: Int(head.status.code)))
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            let isLast = answers.finish(endsOnceAnswered: endsOnceAnswered)
            let isSent = promise ?? context.eventLoop.makePromise()
            let load = application.load
            // A response that is not sent yet is still in progress.
            isSent.futureResult.whenComplete { _ in load.requestEnded() }
            guard !isLast else { return close(context, after: data, whenSent: isSent) }
            context.write(data, promise: isSent)
            continueIfDue(in: context)
            answerRefusalIfDue(in: context)
        }
    }

    /// Returns whether the connection closes after a response with a status.
    private func isLast(status: Int) -> Bool {
        guard answers.count == 1 else { return false }
        // The response to a stream of lines begins early and ends late, unless it refuses all lines.
        let cutsOff = reading.map { !$0.isShort && (!$0.head.takesLines || status >= 400) } ?? false
        return cutsOff || endsOnceAnswered || application.load.isDraining
    }

    /// Whether the connection closes as soon as no response is due.
    private var endsOnceAnswered: Bool {
        if case .afterNewest = ending { true } else { isQuiescing }
    }

    private func refuse(_ fault: RequestFault, ofHead isHead: Bool = false, in context: ChannelHandlerContext) {
        guard ending.readsOn else { return }
        ending = .refused(fault, isHead: isHead)
        framer.discard()
        answerRefusalIfDue(in: context)
    }

    /// Writes the refusal once all earlier requests are answered, or closes the connection if a response has begun.
    func answerRefusalIfDue(in context: ChannelHandlerContext) {
        guard case .refused(let fault, let isHead) = ending, answers.count == (reading == nil ? 0 : 1) else { return }
        guard !answers.hasBegun else { return context.close(promise: nil) }
        let newID = ids.id(.none)
        let response = application.response(to: fault, id: answers.newestID ?? newID)
        let framing = answers.refuse(status: response.status.code, isHead: isHead, newID: newID)
        unsent.appendRefusal(answers.withAddedFields(response), framing: framing)
        end(in: context)
    }

    /// Sends the buffered responses, and then closes the connection.
    private func end(in context: ChannelHandlerContext, lingers: Bool = true) {
        ending = .done
        framer.discard()
        guard let isSent = unsent.flush(isLast: true) else { return finish(in: context, lingers: lingers) }
        isSent.assumeIsolated().whenComplete { _ in self.finish(in: context, lingers: lingers) }
    }

    /// Closes the connection once the end of a response is sent, and discards input for a short time, since closing
    /// with unread bytes would make the system discard the response before the client reads it.
    private func close(_ context: ChannelHandlerContext, after end: NIOAny, whenSent isSent: EventLoopPromise<Void>) {
        ending = .done
        framer.discard()
        isSent.futureResult.assumeIsolated().whenComplete { _ in self.finish(in: context) }
        context.writeAndFlush(end, promise: isSent)
    }

    /// Closes the connection, after a short time in which the client may still send if it lingers (RFC 9112 §9.6).
    private func finish(in context: ChannelHandlerContext, lingers: Bool = true) {
        guard lingers else { return context.close(promise: nil) }
        context.close(mode: .output, promise: nil)
        context.eventLoop.assumeIsolated().scheduleTask(in: limits.linger) { context.close(promise: nil) }
    }

    /// Closes the connection on a server that is stopping, unless a request or response is in progress.
    private func endIfIdle(in context: ChannelHandlerContext) {
        guard answers.count == 0, !framer.isInRequest, !ending.isDone else { return }
        end(in: context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isQuiescing = true
            guard answers.isFirstDue || framer.isInRequest else { return endIfIdle(in: context) }
            // A request that is still arriving is answered, if it arrives soon.
            context.eventLoop.assumeIsolated().scheduleTask(in: limits.linger) { self.endIfIdle(in: context) }
        case let event as ChannelEvent where event == .inputClosed:
            if ending.isDone {
                context.close(promise: nil)
            } else if answers.count == 0 {
                end(in: context)
            } else if ending.isOpen {
                ending = .afterNewest
            }
            context.fireUserInboundEventTriggered(event)
        default: context.fireUserInboundEventTriggered(event)
        }
    }
}
