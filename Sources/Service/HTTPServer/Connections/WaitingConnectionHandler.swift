import NIOCore

/// The only handler of a connection without a place.
///
/// It buffers a request until the connection gets a place, and then adds the other handlers.
///
/// A supervisor's request, for health or metrics, is answered immediately, and its connection then closes. Supervision
/// must not wait for a place, since it finds out why the server has none.
final class WaitingConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The maximum number of buffered bytes of a request.
    private static let maximumByteCount = 256 * 1024

    private let connections: CountedConnections
    private let application: any ServerApplication
    private let maximumSilence: TimeAmount

    /// Adds the other handlers, given whether the connection closes after its first response.
    private let addHandlers: (_ endsOnceAnswered: Bool) throws -> Void

    private var bytes: ByteBuffer?
    private var timer: Scheduled<Void>?

    /// Whether at least part of a request has arrived that must wait.
    ///
    /// Nothing more is read in the meantime.
    private var holds = false

    private var wantsRead = false
    private var isInputClosed = false

    /// Whether the connection ends as soon as the bytes in its socket are read.
    private var isEnding = false

    /// Whether the other handlers are added, or the connection is about to close.
    private var isDone = false

    init(
        for connections: CountedConnections,
        of application: any ServerApplication,
        limits: ConnectionLimits,
        addingHandlers addHandlers: @escaping (_ endsOnceAnswered: Bool) throws -> Void
    ) {
        self.connections = connections
        maximumSilence = limits.idle
        self.application = application
        self.addHandlers = addHandlers
    }

    func handlerAdded(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated()
            .scheduleTask(in: maximumSilence) { self.end(in: context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        isDone = true
        connections.forget(context.channel)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else { return context.fireChannelRead(data) }
        var part = unwrapInboundIn(data)
        if bytes == nil { bytes = part } else { bytes?.writeBuffer(&part) }
        guard let bytes, bytes.readableBytes <= Self.maximumByteCount else { return context.close(promise: nil) }
        guard !holds, let isSupervised = Self.isSupervised(bytes.readableBytesView, paths: application.supervisedPaths)
        else { return }
        if isSupervised { serve(in: context, endsOnceAnswered: true) } else { holds = true }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isEnding, !isDone { refuse(in: context) }
        context.fireChannelReadComplete()
    }

    /// Returns whether a request is for one of a supervisor's paths, or `nil` if more of it must arrive first.
    static func isSupervised(_ bytes: ByteBufferView, paths: [String]) -> Bool? {
        var mayBe = false
        for start in ["GET", "HEAD"].flatMap({ method in paths.map { Array("\(method) \($0)".utf8) } }) {
            guard bytes.count > start.count else {
                mayBe = mayBe || start.starts(with: bytes)
                continue
            }
            let end = bytes[bytes.startIndex + start.count]
            if bytes.starts(with: start), end == UInt8(ascii: " ") || end == UInt8(ascii: "?") { return true }
        }
        return mayBe ? nil : false
    }

    func read(context: ChannelHandlerContext) { if holds { wantsRead = true } else { context.read() } }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case _ where isDone: context.fireUserInboundEventTriggered(event)
        case let event as CountedConnections.Event:
            switch event {
            case .placed: serve(in: context)
            case .displaced: end(in: context)
            }
        // A server that is stopping still answers requests that have arrived.
        case is ChannelShouldQuiesceEvent where bytes != nil: serve(in: context, thenTelling: event)
        case is ChannelShouldQuiesceEvent: context.close(promise: nil)
        case let event as ChannelEvent where event == .inputClosed:
            if bytes == nil { context.close(promise: nil) } else { isInputClosed = true }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// Adds the other handlers, and passes on the buffered bytes.
    private func serve(
        in context: ChannelHandlerContext,
        endsOnceAnswered: Bool = false,
        thenTelling event: Any? = nil
    ) {
        isDone = true
        holds = false
        timer?.cancel()
        do { try addHandlers(endsOnceAnswered) } catch { return context.close(promise: nil) }
        if let bytes = bytes.take() {
            context.fireChannelRead(wrapInboundOut(bytes))
            context.fireChannelReadComplete()
        }
        if isInputClosed { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        if let event { context.fireUserInboundEventTriggered(event) }
        if wantsRead { context.read() }
        // A supervisor's connection remains in the queue, and so may be displaced, or given a place, until it ends.
        if !endsOnceAnswered { context.pipeline.syncOperations.removeHandler(self, promise: nil) }
    }

    /// Ends the connection, after a request that has arrived is refused.
    ///
    /// It may be in the socket, unread because the event loop is busy with many new connections.
    private func end(in context: ChannelHandlerContext) {
        if bytes == nil, !isEnding, context.channel.hasUnreadBytes {
            isEnding = true
        } else {
            refuse(in: context)
        }
    }

    /// Refuses a request that has arrived, and closes the connection.
    private func refuse(in context: ChannelHandlerContext) {
        isDone = true
        timer?.cancel()
        guard bytes != nil else { return context.close(promise: nil) }
        var ids = RequestIDs()
        let id = ids.id(.none)
        var answer = ByteBuffer()
        var serializer = ResponseSerializer()
        serializer.write(
            application.response(to: .tooManyConnections, id: id),
            framing: ResponseSerializer.Framing(id: id, isLast: true, isHead: false, isOldVersion: false),
            at: application.secondsSinceEpoch,
            to: &answer
        )
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(answer)))
            .assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }
}
