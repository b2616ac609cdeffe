import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The handler of a plain-text connection that redirects its first request to https, and then closes it.
///
/// The status is 308 for every method (RFC 9110 §15.4.9), since 301 would let a client turn a `POST` into a `GET`.
final class RedirectHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let framer: RequestFramingHandler
    private let address: SecureAddress
    private let limits: ConnectionLimits
    private let answers: ResponseBuffer
    private var ids = RequestIDs()
    private var isDone = false

    private init(
        _ framer: RequestFramingHandler,
        address: SecureAddress,
        load: ServerLoad,
        limits: ConnectionLimits,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.framer = framer
        self.address = address
        self.limits = limits
        answers = ResponseBuffer(framer, load: load, now: now)
    }

    /// Adds the handlers of a redirecting connection.
    ///
    /// - Throws: SwiftNIO's error if the connection has ended.
    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations,
        address: SecureAddress,
        load: ServerLoad,
        limits: ConnectionLimits,
        now: @escaping @Sendable () -> Timestamp
    ) throws {
        let framer = RequestFramingHandler(timeouts: ConnectionTimeouts(limits), arriving: load.arriving)
        try pipeline.addHandler(framer)
        try pipeline.addHandler(RedirectHandler(framer, address: address, load: load, limits: limits, now: now))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone, case .head(var head) = unwrapInboundIn(data) else { return }
        let isHead = head.method == .HEAD
        do throws(Problem) {
            let fields = try RequestHeadRules.apply(to: &head)
            guard let location = address.location(authority: fields.host.first ?? "", target: head.uri) else {
                throw .malformed(
                    field: "Host",
                    detail: "`Host` and the target name no address that could be that of a redirect."
                )
            }
            let response = EndpointResponse(status: .permanentRedirect, fields: [.location: location])
            answer(response, id: ids.id(fields.requestID), isHead: isHead, in: context)
        } catch {
            refuse(error, isHead: isHead, in: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let fault as RequestFramingParser.FramingError: refuse(Problem(fault), in: context)
        case let fault as HTTPParserError: refuse(Problem(fault), in: context)
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

    private func refuse(_ problem: Problem, isHead: Bool = false, in context: ChannelHandlerContext) {
        guard !isDone else { return }
        let id = ids.id(.none)
        answer(EndpointResponse(problem.identified(by: id)), id: id, isHead: isHead, in: context)
    }

    /// Sends the response, and closes the connection.
    ///
    /// The client may still send for a short time (RFC 9112 §9.6).
    private func answer(_ response: EndpointResponse, id: String, isHead: Bool, in context: ChannelHandlerContext) {
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

/// The https address of a plain-text request: the same host and target.
struct SecureAddress {
    /// The maximum length of a host with its port, in bytes (RFC 1035 §2.3.4).
    private static let maximumHostByteCount = 253 + ":65535".utf8.count

    /// The default port of https.
    private static let usualPort = 443

    /// The default port of http.
    private static let usualPlainPort = 80

    /// The port with TLS.
    let port: Int

    /// The redirecting port.
    let redirectPort: Int

    /// Returns the address for a host with an optional port, and a target that begins with a slash, or `nil` if they
    /// are invalid.
    ///
    /// A request to another port than the redirecting one came through a port mapping. The mapping is assumed to
    /// include the https port. The address then names no port.
    func location(authority: String, target: String) -> String? {
        guard authority.utf8.count <= Self.maximumHostByteCount, target.utf8.first == UInt8(ascii: "/"),
            let host = HostName(authority: authority), host.isWellFormed
        else { return nil }
        let isMapped = (host.port ?? Self.usualPlainPort) != redirectPort
        let suffix = isMapped || port == Self.usualPort ? "" : ":\(port)"
        return "https://\(host.text)\(suffix)\(target)"
    }
}
