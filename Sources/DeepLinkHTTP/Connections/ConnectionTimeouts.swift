import NIOCore

/// The timer that closes a connection that is silent for too long, or whose request takes too long to arrive.
///
/// One timer runs for each connection, at most once in the time that a request has: setting one for each request would
/// cost more than answering some.
final class ConnectionTimeouts {
    /// How long an answer may lie unsent because the client takes none of it.
    private static let maximumStall = TimeAmount.seconds(60)

    private let limits: ConnectionLimits
    private var lastActivity = NIODeadline.now()
    private var requestBegan: NIODeadline?

    /// Since when the server itself does not read, because it has enough to do with what has come.
    private var pausedSince: NIODeadline?

    /// How many bytes of answers lay unsent when that was last looked at.
    private var unsentByteCount = 0

    private var timer: Scheduled<Void>?

    init(_ limits: ConnectionLimits) {
        self.limits = limits
    }

    /// Notes that bytes came, or were handed over to be sent.
    func noteActivity() { lastActivity = .now() }

    /// Notes that a request has begun to arrive, unless that is known.
    func requestBegins() { if requestBegan == nil { requestBegan = lastActivity } }

    /// Notes that a line of a stream has arrived, and the next has its own time.
    func lineEnded() { if requestBegan != nil { requestBegan = lastActivity } }

    /// Notes that a request has arrived whole.
    func requestEnded() { requestBegan = nil }

    /// Notes that the server has read what it asked for.
    func pauses() { if requestBegan != nil { pausedSince = .now() } }

    /// Notes that the server asks for more: the time between was not the client's.
    func resumes() {
        guard let since = pausedSince else { return }
        pausedSince = nil
        if let began = requestBegan { requestBegan = began + (.now() - since) }
    }

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
        let unsent = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        // Who takes some of an answer is not silent.
        if unsent < unsentByteCount { noteActivity() }
        unsentByteCount = unsent
        var ends = [lastActivity + (unsent > 0 ? max(limits.idle, Self.maximumStall) : limits.idle)]
        if let began = requestBegan, pausedSince == nil { ends.append(began + limits.request) }
        guard ends.allSatisfy({ $0 > now }) else {
            context.close(promise: nil)
            return
        }
        // A request that begins meanwhile is looked at in time.
        schedule(min(ends.min() ?? now, now + limits.request), context)
    }
}
