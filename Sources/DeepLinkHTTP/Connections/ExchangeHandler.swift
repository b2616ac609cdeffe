import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The handler behind the parser: it lets requests in that can be told apart for sure, answers at once what waits for
/// nothing, passes the rest on to Hummingbird, and decides when the connection ends.
///
/// Whatever is refused here is answered with a problem, in its turn: requests that were read whole before it are answered
/// first, since what was done must not be reported as refused. Then the connection is closed, and nothing more is read.
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let framer: RequestFramingHandler
    private let limits: ConnectionLimits
    private let environment: ServiceEnvironment

    /// What adds the part of the connection that may wait, behind this handler.
    private let addRouter: (any Channel) throws -> Void

    /// Whether the part that may wait is there.
    private var hasRouter = false

    /// The answers that are due, and how they go on.
    private var answers: DueResponses

    /// The request whose head was let through, and whose end has not come.
    private var reading: IncomingRequest?

    /// What answers at once.
    private var atOnce: AtOnceResponder

    /// How the connection ends, as far as that is known.
    private var ending = ConnectionEnding.open

    /// Whether the server stops, so that the connection ends once nothing is due.
    private var isQuiescing = false

    /// The answers that were given on the event loop and are not sent.
    private let unsent: UnsentAnswers

    private var ids = RequestIDs()

    init(
        _ framer: RequestFramingHandler,
        _ limits: ConnectionLimits,
        _ environment: ServiceEnvironment,
        _ addRouter: @escaping (any Channel) throws -> Void
    ) {
        self.framer = framer
        self.limits = limits
        self.environment = environment
        self.addRouter = addRouter
        answers = DueResponses(environment)
        unsent = UnsentAnswers(framer, environment)
        atOnce = AtOnceResponder(environment)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        framer.answerPlain = { [unowned self] bytes in answerPlain(&bytes, context) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        answers.abandon()
        ending = .done
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { framer.answerPlain = nil }

    // MARK: Requests

    /// Answers the plain request that bytes begin with, if it waits for no more than a level and no other comes before it.
    ///
    /// - Returns: whether it is answered or will be, and taken off the bytes; else it goes its way through the parser.
    private func answerPlain(_ bytes: inout ByteBuffer, _ context: ChannelHandlerContext) -> Bool {
        guard ending.isOpen, answers.count == 0, reading == nil, takesAnswers(context),
            let request = PlainRequest(bytes.readableBytesUInt8Span, wanted: environment.wantedFields),
            let body = bytes.getSlice(at: bytes.readerIndex + request.headByteCount, length: request.bodyByteCount)
        else { return false }
        atOnce.learnPeer(context.remoteAddress)
        let id = ids.id(request.fields.requestID)
        let head = RequestHead(request.method, request.target, request.fields, id: id, of: environment.endpoints)
        let step = atOnce.begin(head, whole: body)
        if case .passOn = step { return false }
        bytes.moveReaderIndex(forwardBy: request.headByteCount + request.bodyByteCount)
        answers.expect(head, isOldVersion: false)
        if request.isLast { ending = .afterNewest }
        switch step {
        // Who says that nothing more comes, and sent nothing more, need not be waited for.
        case .answer(let response): write(response, context, lingers: !request.isLast || bytes.readableBytes > 0)
        case .awaitLevel(let answer): wait(for: answer, context)
        case .wait, .passOn: return false
        }
        return true
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard ending.readsOn else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard ending.isOpen else { return }
            begin(head, context)
        case .body(let part): take(part, context)
        case .end(let trailers):
            // A field there may have told the parser that the connection ends.
            if trailers != nil { ending = .afterNewest }
            if case .afterNewest = ending { framer.discard() }
            finishReading(trailers, context)
        }
    }

    private func begin(_ parsed: HTTPRequestHead, _ context: ChannelHandlerContext) {
        atOnce.learnPeer(context.remoteAddress)
        var parsed = parsed
        let head: RequestHead
        let length: RequestBodyLength
        do throws(Problem) {
            let fields = try RequestHeadRules.apply(to: &parsed, wanted: environment.wantedFields)
            guard let method = HTTPRequest.Method(parsed.method) else {
                throw .invalidRequest(field: "request", .malformed, "The method is no token.")
            }
            head = RequestHead(method, parsed.uri, fields, id: ids.id(fields.requestID), of: environment.endpoints)
            length = try RequestHeadRules.bodyLength(head, of: parsed.version)
        } catch {
            refuse(error, ofHead: parsed.method == .HEAD, context)
            return
        }
        answers.expect(head, isOldVersion: parsed.version != .http1_1)
        // The parser goes no further after a request to upgrade, which is answered as any other.
        if parsed.version != .http1_1 || head.fields.upgrade.count > 0 || head.fields.connection.hasToken("close") {
            ending = .afterNewest
        }
        framer.announce(length)
        reading = IncomingRequest(parsed, head, length)
        // What comes after a request that waits must wait for its turn, and so must a client that takes no answers.
        guard answers.count == 1, takesAnswers(context) else { return passOn(context) }
        perform(atOnce.begin(head, length), context)
        continueIfDue(context)
    }

    /// Whether the client takes answers; what it is to take is gathered, and handed over now and then.
    private func takesAnswers(_ context: ChannelHandlerContext) -> Bool {
        if unsent.areMany { unsent.handOver() }
        return context.channel.isWritable
    }

    private func take(_ part: ByteBuffer, _ context: ChannelHandlerContext) {
        switch reading?.way {
        case nil, .dropped: return
        case .gathered:
            let step = atOnce.take(part)
            guard case .wait = step else {
                passOn(context)
                context.fireChannelRead(wrapInboundOut(.body(part)))
                return
            }
            if !framer.keepBytes(atOnce.keptByteCount) {
                _ = atOnce.takeGathered()
                let id = reading?.head.id ?? ""
                perform(.answer(EndpointResponse(Problem.tooManyBytes.identified(by: id))), context)
            }
        case .passedOn:
            if reading?.head.takesLines == true, part.readableBytesView.contains(UInt8(ascii: "\n")) {
                framer.lineEnded()
            }
            context.fireChannelRead(wrapInboundOut(.body(part)))
        }
    }

    private func finishReading(_ trailers: HTTPHeaders?, _ context: ChannelHandlerContext) {
        guard let request = reading else { return }
        reading = nil
        switch request.way {
        case .dropped: return
        case .gathered:
            perform(atOnce.end(), context)
        case .passedOn: context.fireChannelRead(wrapInboundOut(.end(trailers)))
        }
    }

    /// Does what the responder says about the request at hand.
    private func perform(_ step: AtOnceResponder.Step, _ context: ChannelHandlerContext) {
        switch step {
        case .wait: reading?.way = .gathered
        case .passOn: passOn(context)
        case .answer(let response):
            reading?.way = .dropped
            write(response, context)
        case .awaitLevel(let answer):
            reading?.way = .dropped
            wait(for: answer, context)
        }
    }

    /// Waits for a level, without a task, and then answers; no further request is read meanwhile.
    private func wait(for answer: AwaitedAnswer, _ context: ChannelHandlerContext) {
        framer.hold(keeping: answer.byteCount)
        let told = context.eventLoop.makePromise(of: GrantFinding.self)
        told.futureResult.assumeIsolated()
            .whenComplete { finding in
                let response = self.atOnce.respond(to: answer, finding)
                // Where the connection has gone, nobody is answered.
                guard !self.ending.isDone else { return }
                self.write(response, context)
                self.unsent.flush()
                self.answerRefusalIfDue(context)
                self.framer.release()
            }
        environment.store.readGrant(of: answer.user, atLeast: answer.version) { told.completeWith($0) }
    }

    /// Hands the request at hand over to Hummingbird, with what has come of it.
    private func passOn(_ context: ChannelHandlerContext) {
        guard let request = reading else { return }
        reading?.way = .passedOn
        unsent.handOver()
        let body = atOnce.takeGathered()
        do {
            if !hasRouter { try addRouter(context.channel) }
            hasRouter = true
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
            return
        }
        context.fireChannelRead(wrapInboundOut(.head(request.headToPassOn(closing: !ending.isOpen))))
        if !body.isEmpty { context.fireChannelRead(wrapInboundOut(.body(ByteBuffer(bytes: body)))) }
        continueIfDue(context)
    }

    /// Tells a client that waits for it to send its body (RFC 9110 §10.1.1), once that is the request at hand.
    private func continueIfDue(_ context: ChannelHandlerContext) {
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
        case let fault as RequestFramingParser.FramingError: refuse(Problem(fault), context)
        case HTTPParserError.headerOverflow: refuse(Problem(RequestFramingParser.FramingError.headTooLong), context)
        case let error as HTTPParserError:
            refuse(
                .invalidRequest(field: "request", .malformed, "The bytes are no HTTP/1.1 request: \(error)."),
                context
            )
        default: context.fireErrorCaught(error)
        }
    }

    // MARK: Answers

    /// Writes an answer that is given on the event loop.
    private func write(_ response: EndpointResponse, _ context: ChannelHandlerContext, lingers: Bool = true) {
        let isLast = isLast(status: response.status.code)
        let response = answers.forOtherOrigins(response)
        let framing = answers.finish(status: response.status.code, isLast: isLast, atOnce.note)
        unsent.append(response, framing)
        if isLast { end(context, lingers: lingers) }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let note = event as? AdmissionNote else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        answers.routed = note
        promise?.succeed()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !ending.isDone else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head): context.write(wrapOutboundOut(.head(begun(head))), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            let isLast = answers.finish(endsOnceAnswered)
            let isSent = promise ?? context.eventLoop.makePromise()
            let load = environment.load
            // What is not sent yet is still under way.
            isSent.futureResult.whenComplete { _ in load.requestEnded() }
            guard !isLast else { return close(context, after: data, isSent) }
            context.write(data, promise: isSent)
            continueIfDue(context)
            answerRefusalIfDue(context)
        }
    }

    /// Begins an answer, and says in it whether the connection ends.
    private func begun(_ head: HTTPResponseHead) -> HTTPResponseHead {
        var head = head
        answers.begin(&head, isLast: isLast(status: Int(head.status.code)))
        return head
    }

    /// Whether the connection ends with an answer of a status.
    private func isLast(status: Int) -> Bool {
        guard answers.count == 1 else { return false }
        // The answer to lines begins early and ends late, unless it refuses them all.
        let cutsOff = reading.map { !$0.isShort && (!$0.head.takesLines || status >= 400) } ?? false
        return cutsOff || endsOnceAnswered || environment.load.isDraining
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
        guard case .refused(let problem, let isHead) = ending, answers.count == (reading == nil ? 0 : 1) else { return }
        guard !answers.hasBegun else { return context.close(promise: nil) }
        let framing = answers.refuse(status: problem.code.status.code, isHead: isHead, newID: ids.id(.none))
        let response = answers.forOtherOrigins(EndpointResponse(problem.identified(by: framing.id)))
        unsent.appendRefusal(response, framing)
        end(context)
    }

    /// Sends what is gathered, and then ends the connection.
    private func end(_ context: ChannelHandlerContext, lingers: Bool = true) {
        ending = .done
        framer.discard()
        guard let isSent = unsent.flush() else { return finish(context, lingers: lingers) }
        isSent.assumeIsolated().whenComplete { _ in self.finish(context, lingers: lingers) }
    }

    /// Ends the connection with the end of an answer, once that is sent, so that the client can read it: what comes
    /// meanwhile is thrown away for a moment, since closing on unread bytes would make the system take the answer back.
    private func close(_ context: ChannelHandlerContext, after end: NIOAny, _ isSent: EventLoopPromise<Void>) {
        ending = .done
        framer.discard()
        isSent.futureResult.assumeIsolated().whenComplete { _ in self.finish(context) }
        context.writeAndFlush(end, promise: isSent)
    }

    /// Ends the connection; where it lingers, the client may still send for a moment (RFC 9112 §9.6).
    private func finish(_ context: ChannelHandlerContext, lingers: Bool = true) {
        guard lingers else { return context.close(promise: nil) }
        context.close(mode: .output, promise: nil)
        context.eventLoop.assumeIsolated().scheduleTask(in: limits.linger) { context.close(promise: nil) }
    }

    /// Ends the connection of a server that stops, unless there is something to wait for.
    private func endIfIdle(_ context: ChannelHandlerContext) {
        guard answers.count == 0, !framer.isInRequest, !ending.isDone else { return }
        end(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isQuiescing = true
            guard answers.isFirstDue || framer.isInRequest else { return endIfIdle(context) }
            // The request that is on its way is answered, if it comes soon.
            context.eventLoop.assumeIsolated().scheduleTask(in: limits.linger) { self.endIfIdle(context) }
        case let event as ChannelEvent where event == .inputClosed:
            if ending.isDone {
                context.close(promise: nil)
            } else if answers.count == 0 {
                end(context)
            } else if ending.isOpen {
                ending = .afterNewest
            }
            context.fireUserInboundEventTriggered(event)
        default: context.fireUserInboundEventTriggered(event)
        }
    }
}
