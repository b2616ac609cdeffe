import DeepLinkFormats
import NIOCore
import NIOHTTP1

/// The first handler of a connection, where there are only bytes: it keeps the timeouts, and passes each request on in
/// pieces that end at the end of its head and of its body.
final class RequestFramingHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let clock: ConnectionTimeouts
    private var framing = RequestFramingParser()

    /// The length of the body of the head that has just been parsed.
    private var announced: RequestBodyLength?

    /// Whether a head was parsed whose request has not ended: empty lines between requests neither begin nor end one.
    private var hasHead = false

    /// Whether all further input is thrown away.
    private(set) var isDiscarding = false

    /// The count of the bytes of a head that is still arriving, and of a body that is gathered.
    private var kept: KeptBytes

    /// The input that has arrived while an answer is awaited; `nil` while none is.
    private var held: PausedInput?

    /// Whether bytes are being passed on.
    private var isAdvancing = false

    /// The function that answers plain requests, for the whole connection; it returns whether it did, and removes the
    /// request from the bytes.
    var answerPlain: ((inout ByteBuffer) -> Bool)?

    /// Whether SwiftNIO's parser is behind this handler: it is added when a request needs it, on most connections
    /// never.
    private var hasParser = false

    /// The number of bytes that were handed over since the system was known to have taken all: a socket takes some at
    /// once, and asking for what is left costs as much as sending.
    private var uncheckedByteCount = 0

    /// The number of bytes that an idle socket takes at once, at least (tcp(7), `tcp_wmem`).
    private static let socketByteCount = 4 * 1024

    /// The handler's place in the pipeline, while it has one.
    private var context: ChannelHandlerContext?

    /// Whether a part of a request has arrived, but not its rest.
    var isInRequest: Bool { !framing.isBetweenRequests }

    init(timeouts clock: ConnectionTimeouts, arriving: ByteBudget) {
        self.clock = clock
        kept = KeptBytes(of: arriving)
    }

    /// Sends the bytes of serialized answers, ahead of the encoder, which must be empty.
    func send(_ bytes: ByteBuffer) {
        guard let context else { return }
        clock.noteActivity()
        uncheckedByteCount += bytes.readableBytes
        context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
    }

    /// Sends the bytes that were handed over.
    ///
    /// - Parameter isLast: whether the connection ends once they are sent.
    /// - Returns: a future that succeeds once they are sent or never will be; `nil` if they are sent already, as is
    ///   usual, or so few that nobody needs to know.
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

    /// Stores the length of the body of the head that has just been parsed.
    func announce(_ body: RequestBodyLength) {
        announced = body
        hasHead = true
    }

    /// Notes the end of a line of a stream: the next line has the time of a request for itself.
    func lineEnded() { clock.lineEnded() }

    /// Throws away all further input.
    func discard() { isDiscarding = true }

    /// Counts bytes of a request that is still arriving as kept.
    ///
    /// - Returns: whether that is within the limit of all connections together.
    @discardableResult func keepBytes(_ count: Int) -> Bool { kept.become(count) }

    /// Passes no further request on until ``release()``, and reads little more; counts the bytes as kept meanwhile.
    func hold(keeping byteCount: Int) {
        held = PausedInput(requestByteCount: byteCount)
        keepBytes(byteCount)
    }

    /// Passes on the input since ``hold(keeping:)``, and reads on.
    func release() {
        guard let held else { return }
        self.held = nil
        keepBytes(0)
        // If bytes are being passed on already, that continues with the rest.
        guard !isAdvancing, let context else { return }
        if var bytes = held.bytes {
            advance(&bytes, in: context)
            passOnReadComplete(in: context)
        }
        // By now, another answer may be awaited.
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

    /// Keeps the input that arrives while an answer is awaited.
    private func keep(_ buffer: ByteBuffer, in context: ChannelHandlerContext) {
        guard !isDiscarding, let count = held?.append(buffer), !keepBytes(count) else { return }
        context.fireErrorCaught(RequestFramingParser.FramingError.tooManyBytes)
    }

    /// Passes bytes on, request by request, until an answer is awaited.
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

    /// Adds SwiftNIO's parser and its counterpart behind this handler, unless they are there.
    ///
    /// - Returns: whether they are there; otherwise the connection is closed.
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
        // The channel would ask next, through all handlers; without a parser, none of them but this one may object.
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

/// The input of a connection that arrives while one of its answers is awaited.
struct PausedInput {
    /// The size of the request that is being answered, in bytes.
    let requestByteCount: Int

    /// The bytes that have arrived; `nil` for none, which is usual.
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
    /// - Returns: the number of bytes that are kept now, those of the request included.
    mutating func append(_ buffer: ByteBuffer) -> Int {
        if bytes?.writeImmutableBuffer(buffer) == nil { bytes = buffer }
        return requestByteCount + (bytes?.readableBytes ?? 0)
    }
}
