import DeepLinkFormats
import NIOCore
import NIOHTTP1

/// The first handler of a connection, where there are only bytes: it keeps the time, and passes each request on in pieces
/// that end where its head and its body end; but for those that the shortcut answers.
final class RequestFramer: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let clock: ConnectionClock
    private let arriving: ByteBudget
    private let shortcut: Shortcut
    private var framing = RequestFraming()

    /// What the gate found in the head that has just been parsed; with the head itself, where the shortcut may learn.
    private var announced: (body: RequestBodyLength, head: HTTPRequestHead?)?

    /// Whether a head was parsed, and its request has not ended: empty lines between requests begin and end none.
    private var isInRequest = false

    /// Whether whatever else comes is thrown away.
    private(set) var isDiscarding = false

    /// Whether requests were passed on that are not answered: what comes after them must wait for its turn.
    private var hasAnswersDue = false

    /// How many bytes of a head that is still arriving are taken of the budget.
    private var keptByteCount = 0

    /// Whether bytes were passed on since the last complete read.
    private var hasPassedOn = false

    init(_ clock: ConnectionClock, _ arriving: ByteBudget, _ shortcut: Shortcut) {
        self.clock = clock
        self.arriving = arriving
        self.shortcut = shortcut
    }

    /// Learns from the gate what follows the head that has just been parsed; `head` is given where that is nothing, and
    /// the connection goes on, so that requests like it may be answered by the shortcut.
    func announce(_ body: RequestBodyLength, teaching head: HTTPRequestHead?) {
        announced = (body, head)
        isInRequest = true
        hasAnswersDue = true
    }

    /// Learns from the gate that all requests that were passed on are answered.
    func allAnswered() { hasAnswersDue = false }

    /// Learns from the gate that a line of a stream has come: the next has the time of a request for itself.
    func lineEnded() { clock.lineEnded() }

    /// Throws away whatever else comes.
    func discard() { isDiscarding = true }

    func channelActive(context: ChannelHandlerContext) {
        clock.start(context)
        context.fireChannelActive()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { clock.start(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        clock.stop()
        keepBytes(0)
    }

    func channelInactive(context: ChannelHandlerContext) {
        clock.stop()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        clock.noteActivity()
        takeShortcut(&buffer, context)
        while buffer.readableBytes > 0, !isDiscarding {
            clock.requestBegins()
            do throws(RequestFraming.Fault) {
                let isBegin = framing.isBetweenRequests
                let count = try framing.advance(buffer.readableBytesView)
                guard let piece = buffer.readSlice(length: count) else { return }
                hasPassedOn = true
                context.fireChannelRead(wrapInboundOut(piece))
                if isBegin, let head = announced?.head { shortcut.learn(piece, head) }
            } catch {
                context.fireErrorCaught(error)
                return
            }
            if framing.isAtHeadEnd {
                framing.begin(announced?.body)
                announced = nil
            }
            if isInRequest, framing.isBetweenRequests {
                clock.requestEnded()
                isInRequest = false
            }
        }
        guard keepBytes(isDiscarding ? 0 : framing.count) else {
            context.fireErrorCaught(RequestFraming.Fault.tooManyBytes)
            return
        }
    }

    /// Counts so many bytes as kept of a head that is still arriving.
    ///
    /// - Returns: whether all connections together may keep so many.
    @discardableResult private func keepBytes(_ count: Int) -> Bool {
        guard count != keptByteCount else { return true }
        if count > keptByteCount {
            guard arriving.take(count - keptByteCount) else { return false }
        } else {
            arriving.giveBack(keptByteCount - count)
        }
        keptByteCount = count
        return true
    }

    /// Answers what the shortcut can, as long as the client takes the answers, and nothing is under way that comes first.
    private func takeShortcut(_ buffer: inout ByteBuffer, _ context: ChannelHandlerContext) {
        guard framing.isBetweenRequests, !hasAnswersDue, !isDiscarding else { return }
        while buffer.readableBytes > 0, context.channel.isWritable {
            var answers = ByteBuffer()
            let count = shortcut.answer(&buffer, in: &answers)
            guard count > 0 else { return }
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(answers)), promise: nil)
            endWhenSent(count, context)
        }
    }

    /// What is not sent yet is still under way; mostly everything is.
    private func endWhenSent(_ count: Int, _ context: ChannelHandlerContext) {
        guard (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) != 0 else {
            shortcut.answersEnded(count)
            return
        }
        let isSent = context.eventLoop.makePromise(of: Void.self)
        isSent.futureResult.assumeIsolated().whenComplete { [shortcut] _ in shortcut.answersEnded(count) }
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: isSent)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Whoever was passed nothing has nothing to complete.
        guard hasPassedOn else { return }
        hasPassedOn = false
        clock.pauses()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        clock.resumes()
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        clock.noteActivity()
        context.write(data, promise: promise)
    }
}
