import NIOCore

/// Closes a connection that is silent for too long, or whose request takes too long to arrive.
///
/// One timer runs for each connection, at most once in the time that a request has: setting one for each request would
/// cost more than answering some.
final class ConnectionClock {
    /// How long an answer that the client does not take may fill its buffer.
    private static let maximumStall = TimeAmount.seconds(60)

    private let limits: ConnectionLimits
    private var lastActivity = NIODeadline.now()
    private var requestBegan: NIODeadline?
    private var timer: Scheduled<Void>?

    init(_ limits: ConnectionLimits) {
        self.limits = limits
    }

    /// Notes that bytes came or went.
    func noteActivity() { lastActivity = .now() }

    /// Notes that a request has begun to arrive, unless that is known.
    func requestBegins() { if requestBegan == nil { requestBegan = lastActivity } }

    /// Notes that a line of a stream has arrived, and the next has its own time.
    func lineEnded() { if requestBegan != nil { requestBegan = lastActivity } }

    /// Notes that a request has arrived whole.
    func requestEnded() { requestBegan = nil }

    /// Starts to watch a connection.
    func start(_ context: ChannelHandlerContext) {
        noteActivity()
        schedule(.now() + limits.request, context)
    }

    /// Stops to watch.
    func stop() {
        timer?.cancel()
        timer = nil
    }

    private func schedule(_ time: NIODeadline, _ context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.check(context) }
    }

    private func check(_ context: ChannelHandlerContext) {
        let now = NIODeadline.now()
        let silence = context.channel.isWritable ? limits.idle : max(limits.idle, Self.maximumStall)
        let ends = [lastActivity + silence] + (requestBegan.map { [$0 + limits.request] } ?? [])
        guard ends.allSatisfy({ $0 > now }) else {
            context.close(promise: nil)
            return
        }
        // A request that begins meanwhile is looked at in time.
        schedule(min(ends.min() ?? now, now + limits.request), context)
    }
}
