import HTTPTypes
import NIOCore
import NIOHTTP1

/// The handler of a plain-text connection that redirects its first request to https, and then closes it.
///
/// The status is 308 for every method (RFC 9110 §15.4.9), since 301 would let a client turn a `POST` into a `GET`.
final class RedirectHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let framer: RequestFramingHandler
    private let rules: RedirectRules
    private let limits: ConnectionLimits
    private let answers: ResponseBuffer
    private var ids = RequestIDs()
    private var isDone = false

    private init(
        _ framer: RequestFramingHandler,
        rules: RedirectRules,
        load: ServerLoad,
        limits: ConnectionLimits
    ) {
        self.framer = framer
        self.rules = rules
        self.limits = limits
        answers = ResponseBuffer(framer, load: load, now: rules.secondsSinceEpoch)
    }

    /// Adds the handlers of a redirecting connection.
    ///
    /// - Throws: SwiftNIO's error if the connection has ended.
    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations,
        rules: RedirectRules,
        load: ServerLoad,
        limits: ConnectionLimits
    ) throws {
        let framer = RequestFramingHandler(timeouts: ConnectionTimeouts(limits), arriving: load.arriving)
        try pipeline.addHandler(framer)
        try pipeline.addHandler(RedirectHandler(framer, rules: rules, load: load, limits: limits))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone, case .head(var head) = unwrapInboundIn(data) else { return }
        let isHead = head.method == .HEAD
        do throws(RequestFault) {
            let fields = try RequestHeadRules.apply(to: &head, own: OwnFieldNames([]))
            guard let location = rules.location(fields.host.first ?? "", head.uri) else {
                throw .host(.notRedirectable)
            }
            let response = ServerResponse(status: .permanentRedirect, fields: [.location: location])
            answer(response, id: ids.id(fields.requestID), isHead: isHead, in: context)
        } catch {
            refuse(error, isHead: isHead, in: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let fault as RequestFramingParser.FramingError: refuse(.framing(fault), in: context)
        case let fault as HTTPParserError: refuse(RequestFault(fault), in: context)
        default: context.fireErrorCaught(error)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent where !framer.isInRequest: context.close(promise: nil)
        // A client that has closed its side sends no further request.
        case let event as ChannelEvent where event == .inputClosed: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    private func refuse(_ fault: RequestFault, isHead: Bool = false, in context: ChannelHandlerContext) {
        guard !isDone else { return }
        let id = ids.id(.none)
        answer(rules.refusal(fault, id), id: id, isHead: isHead, in: context)
    }

    /// Sends the response, and closes the connection.
    ///
    /// The client may still send for a short time (RFC 9112 §9.6).
    private func answer(_ response: ServerResponse, id: String, isHead: Bool, in context: ChannelHandlerContext) {
        isDone = true
        framer.discard()
        answers.appendRefusal(
            response,
            framing: ResponseSerializer.Framing(id: id, isLast: true, isHead: isHead, isOldVersion: false)
        )
        guard let isSent = answers.flush(isLast: true) else { return finish(context) }
        isSent.assumeIsolated().whenComplete { _ in self.finish(context) }
    }

    private func finish(_ context: ChannelHandlerContext) {
        context.close(mode: .output, promise: nil)
        context.eventLoop.assumeIsolated().scheduleTask(in: limits.linger) { context.close(promise: nil) }
    }
}
