import NIOCore
import NIOHTTP1

/// The first handler of a connection, for bytes only.
///
/// It enforces the timeouts, and passes each request on in pieces that end with its head and its body.
final class RequestFramingHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let clock: ConnectionTimeouts
    private var framing = RequestFramingParser()

    /// The body length of the head that has just been parsed.
    private var announced: RequestBodyLength?

    /// Whether a head was parsed, and its request has not ended.
    ///
    /// Empty lines between requests neither begin nor end one.
    private var hasHead = false

    /// Whether all further input is discarded.
    private(set) var isDiscarding = false

    /// The count of the buffered bytes of an arriving head or body.
    private var kept: ReservedBytes

    /// The input that arrives while a response is awaited, or `nil` if none is.
    private var held: PausedInput?

    /// Whether bytes are being passed on.
    private var isAdvancing = false

    /// The function that answers plain requests, for the whole connection.
    ///
    /// It returns whether it did, and removes the request from the bytes.
    var answerPlain: ((inout ByteBuffer) -> Bool)?

    /// Whether SwiftNIO's parser is behind this handler.
    ///
    /// It is added when a request needs it. On most connections this never happens.
    private var hasParser = false

    /// The number of bytes passed on since the system was last known to have taken all.
    ///
    /// A socket takes some bytes immediately, and asking for the rest costs as much as sending.
    private var uncheckedByteCount = 0

    /// The minimum number of bytes that an idle socket takes immediately (tcp(7), `tcp_wmem`).
    private static let socketByteCount = 4 * 1024

    /// The handler's place in the pipeline, or `nil` outside of it.
    private var context: ChannelHandlerContext?

    /// Whether part of a request has arrived, but not all of it.
    var isInRequest: Bool { !framing.isBetweenRequests }

    init(timeouts clock: ConnectionTimeouts, arriving: ByteBudget) {
        self.clock = clock
        kept = ReservedBytes(of: arriving)
    }

    /// Sends the bytes of serialized responses, ahead of the encoder.
    ///
    /// The encoder must be empty.
    func send(_ bytes: ByteBuffer) {
        guard let context else { return }
        clock.noteActivity()
        uncheckedByteCount += bytes.readableBytes
        context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
    }

    /// Flushes the bytes passed on so far.
    ///
    /// - Parameter isLast: whether the connection closes once they are sent.
    /// - Returns: a future that succeeds once they are sent or never will be, or `nil` if they are already sent, as is
    ///   usual, or too few to matter.
    func flush(isLast: Bool) -> EventLoopFuture<Void>? {
        guard let context else { return nil }
        context.flush()
        guard isLast || uncheckedByteCount > Self.socketByteCount else { return nil }
        if (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) == 0 {
            uncheckedByteCount = 0
            return nil
        }
        let promise = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: promise)
        return promise.futureResult
    }

    /// Stores the body length of the head that has just been parsed.
    func announce(_ body: RequestBodyLength) {
        announced = body
        hasHead = true
    }

    /// Records the end of a line of a stream.
    ///
    /// The next line has its own time limit.
    func lineEnded() { clock.lineEnded() }

    /// Discards all further input.
    func discard() { isDiscarding = true }

    /// Counts the buffered bytes of a request that is still arriving.
    ///
    /// - Returns: whether they are within the limit of all connections together.
    @discardableResult func keepBytes(_ count: Int) -> Bool { kept.become(count) }

    /// Passes on no further request until ``release()``, and reads little more.
    ///
    /// The bytes count as buffered in the meantime.
    func hold(keeping byteCount: Int) {
        held = PausedInput(requestByteCount: byteCount)
        keepBytes(byteCount)
        clock.answerBegins()
    }

    /// Passes on the input since ``hold(keeping:)``, and resumes reading.
    func release() {
        guard let held else { return }
        self.held = nil
        keepBytes(0)
        clock.answerEnds()
        // If bytes are being passed on already, that loop continues with the rest.
        guard !isAdvancing, let context else { return }
        if var bytes = held.bytes {
            advance(&bytes, in: context)
            passOnReadComplete(in: context)
        }
        // By now, another response may be awaited.
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
        if held == nil { advance(&buffer, in: context) } else { keep(buffer, in: context) }
    }

    /// Buffers input that arrives while a response is awaited.
    private func keep(_ buffer: ByteBuffer, in context: ChannelHandlerContext) {
        guard !isDiscarding, let count = held?.append(buffer), !keepBytes(count) else { return }
        context.fireErrorCaught(RequestFramingParser.FramingError.tooManyBytes)
    }

    /// Passes bytes on, request by request, until a response is awaited.
    private func advance(_ buffer: inout ByteBuffer, in context: ChannelHandlerContext) {
        isAdvancing = true
        defer { isAdvancing = false }
        while buffer.readableBytes > 0, !isDiscarding {
            guard held == nil else { return keep(buffer, in: context) }
            if framing.isBetweenRequests, answerPlain?(&buffer) == true { continue }
            clock.requestBegins()
            do throws(RequestFramingParser.FramingError) {
                let count = try framing.advance(buffer.readableBytesView)
                guard let piece = buffer.readSlice(length: count) else { return }
                if !framing.isAtHeadEnd, framing.count > 0, !keepBytes(framing.count) { throw .tooManyBytes }
                guard addParser() else { return }
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

    /// Adds SwiftNIO's parser and its counterpart behind this handler, unless they are present.
    ///
    /// - Returns: whether they are present. If not, the connection is closed.
    func addParser() -> Bool {
        guard !hasParser else { return true }
        guard let context else { return false }
        do {
            try context.pipeline.syncOperations.configureHTTPServerPipeline(
                position: .after(self),
                withPipeliningAssistance: false,  // The handler behind takes one request at a time.
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
        passOnReadComplete(in: context)
        // The channel would ask next, through all handlers. Without a parser, only this one may object.
        if !hasParser, held == nil { read(context: context) }
    }

    private func passOnReadComplete(in context: ChannelHandlerContext) {
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
        // The end is passed on after the input before it.
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

/// The input of a connection that arrives while a response is awaited.
struct PausedInput {
    /// The size of the request in progress, in bytes.
    let requestByteCount: Int

    /// The bytes that have arrived, or `nil` for none, as is usual.
    private(set) var bytes: ByteBuffer?

    /// Whether the input has ended.
    var isEnd = false

    /// Whether a read was requested.
    var wantsRead = false

    init(requestByteCount: Int) {
        self.requestByteCount = requestByteCount
    }

    /// Adds bytes that have arrived.
    ///
    /// - Returns: the number of buffered bytes, including the request.
    mutating func append(_ buffer: ByteBuffer) -> Int {
        if bytes?.writeImmutableBuffer(buffer) == nil { bytes = buffer }
        return requestByteCount + (bytes?.readableBytes ?? 0)
    }
}
