import DeepLinkFormats
import NIOCore
import NIOHTTP1

/// The first handler of a connection, where there are only bytes: it keeps the time, and passes each request on in pieces
/// that end where its head and its body end.
final class RequestFramingHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let clock: ConnectionTimeouts
    private var framing = RequestFramingParser()

    /// What the gate found in the head that has just been parsed.
    private var announced: RequestBodyLength?

    /// Whether a head was parsed, and its request has not ended: empty lines between requests begin and end none.
    private var hasHead = false

    /// Whether whatever else comes is thrown away.
    private(set) var isDiscarding = false

    /// The bytes of a head that is still arriving, and of a body that is gathered.
    private var kept: KeptBytes

    /// What has come while an answer is awaited; `nil` while none is.
    private var held: HeldBytes?

    /// Whether bytes are being passed on.
    private var isAdvancing = false

    /// What answers a plain request, as long as the connection lasts; returns whether it did, and takes it off the bytes.
    var answerPlain: ((inout ByteBuffer) -> Bool)?

    /// Whether SwiftNIO's parser stands behind this handler: it is added when a request needs it, on most connections never.
    private var hasParser = false

    /// The handler's place in the pipeline, while it has one.
    private var context: ChannelHandlerContext?

    /// Whether a part of a request has come, and its rest has not.
    var isInRequest: Bool { !framing.isBetweenRequests }

    init(_ clock: ConnectionTimeouts, _ arriving: ByteBudget) {
        self.clock = clock
        kept = KeptBytes(of: arriving)
    }

    /// Sends bytes of answers that are serialized already, ahead of the encoder; nothing may be in it.
    func send(_ bytes: ByteBuffer) {
        guard let context else { return }
        clock.noteActivity()
        context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
    }

    /// Sends what was handed over.
    ///
    /// - Returns: what ends once it is sent, or never will be; `nil` where it is sent already, as it mostly is.
    func flush() -> EventLoopFuture<Void>? {
        guard let context else { return nil }
        context.flush()
        guard (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) != 0 else { return nil }
        let promise = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: promise)
        return promise.futureResult
    }

    /// Learns from the gate what follows the head that has just been parsed.
    func announce(_ body: RequestBodyLength) {
        announced = body
        hasHead = true
    }

    /// Learns from the gate that a line of a stream has come: the next has the time of a request for itself.
    func lineEnded() { clock.lineEnded() }

    /// Throws away whatever else comes.
    func discard() { isDiscarding = true }

    /// Counts so many bytes as kept of a request that is still arriving.
    ///
    /// - Returns: whether all connections together may keep so many.
    @discardableResult func keepBytes(_ count: Int) -> Bool { kept.become(count) }

    /// Passes no further request on until ``release()``, and reads little more; so many bytes are kept meanwhile.
    func hold(keeping byteCount: Int) {
        held = HeldBytes(requestByteCount: byteCount)
        keepBytes(byteCount)
    }

    /// Passes on what came since ``hold(keeping:)``, and reads on.
    func release() {
        guard let held else { return }
        self.held = nil
        keepBytes(0)
        // Where bytes are being passed on, that goes on with the rest.
        guard !isAdvancing, let context else { return }
        if var bytes = held.bytes {
            advance(&bytes, context)
            channelReadComplete(context: context)
        }
        // Another answer may be awaited by now.
        if held.isEnd { userInboundEventTriggered(context: context, event: ChannelEvent.inputClosed) }
        if held.wantsRead { read(context: context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        clock.start(context)
        context.fireChannelActive()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { clock.start(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        clock.stop()
        keepBytes(0)
        self.context = nil
        answerPlain = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        clock.stop()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        clock.noteActivity()
        if held == nil { advance(&buffer, context) } else { keep(buffer, context) }
    }

    /// Keeps what comes while an answer is awaited.
    private func keep(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        guard !isDiscarding, let count = held?.append(buffer), !keepBytes(count) else { return }
        context.fireErrorCaught(RequestFramingParser.FramingError.tooManyBytes)
    }

    /// Passes bytes on, request by request, until an answer is awaited.
    private func advance(_ buffer: inout ByteBuffer, _ context: ChannelHandlerContext) {
        isAdvancing = true
        defer { isAdvancing = false }
        while buffer.readableBytes > 0, !isDiscarding {
            guard held == nil else { return keep(buffer, context) }
            if framing.isBetweenRequests, answerPlain?(&buffer) == true { continue }
            clock.requestBegins()
            do throws(RequestFramingParser.FramingError) {
                let count = try framing.advance(buffer.readableBytesView)
                guard let piece = buffer.readSlice(length: count) else { return }
                if !framing.isAtHeadEnd, framing.count > 0, !keepBytes(framing.count) { throw .tooManyBytes }
                guard addParser(context) else { return }
                context.fireChannelRead(wrapInboundOut(piece))
            } catch {
                context.fireErrorCaught(error)
                return
            }
            if framing.isAtHeadEnd {
                framing.begin(announced)
                announced = nil
            }
            if hasHead, framing.isBetweenRequests {
                clock.requestEnded()
                if held == nil { keepBytes(0) }
                hasHead = false
            }
        }
    }

    /// Adds SwiftNIO's parser and its counterpart behind this handler, unless they are there.
    ///
    /// - Returns: whether they are there; else the connection is closed.
    private func addParser(_ context: ChannelHandlerContext) -> Bool {
        guard !hasParser else { return true }
        do {
            try context.pipeline.syncOperations.configureHTTPServerPipeline(
                position: .after(self),
                withPipeliningAssistance: false,  // The gate takes one request at a time.
                withErrorHandling: false,
                withOutboundHeaderValidation: false  // HTTPTypes has checked them.
            )
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
            return false
        }
        hasParser = true
        return true
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        clock.pauses()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        guard held?.bytes == nil else {
            held?.wantsRead = true
            return
        }
        clock.resumes()
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The end comes behind what came before it.
        if held?.bytes != nil, event as? ChannelEvent == .inputClosed {
            held?.isEnd = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        clock.noteActivity()
        context.write(data, promise: promise)
    }
}
