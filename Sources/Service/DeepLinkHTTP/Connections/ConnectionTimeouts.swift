import NIOCore

/// The timer that closes a connection that is silent for too long, or whose request takes too long to arrive.
///
/// One timer runs for each connection, and fires at most once in the time that a request has: setting one for each
/// request would cost more than answering some.
final class ConnectionTimeouts {
    /// The time that an answer may stay unsent because the client reads none of it.
    private static let maximumStall = TimeAmount.seconds(60)

    private let limits: ConnectionLimits
    private let now: () -> NIODeadline
    private var lastActivity: NIODeadline
    private var requestBegan: NIODeadline?

    /// The time since which the server itself has not read, because it is still busy with its input; `nil` while it
    /// reads.
    private var pausedSince: NIODeadline?

    /// The number of unsent bytes of answers at the last check.
    private var unsentByteCount = 0

    private var timer: Scheduled<Void>?

    /// Prepares to watch a connection.
    ///
    /// - Parameters:
    ///   - limits: the time limits.
    ///   - now: the clock of the connection's event loop, which tests move by themselves.
    init(_ limits: ConnectionLimits, now: @escaping () -> NIODeadline = NIODeadline.now) {
        self.limits = limits
        self.now = now
        lastActivity = now()
    }

    /// Notes that bytes arrived, or were handed over to be sent.
    func noteActivity() { lastActivity = now() }

    /// Notes that a request has begun to arrive, unless one has already.
    func requestBegins() { if requestBegan == nil { requestBegan = lastActivity } }

    /// Notes that a line of a stream has arrived; the next line has a time limit of its own.
    func lineEnded() { if requestBegan != nil { requestBegan = lastActivity } }

    /// Notes that a request has arrived whole.
    func requestEnded() { requestBegan = nil }

    /// Notes that the server has read the input it asked for.
    func pauses() { if requestBegan != nil { pausedSince = now() } }

    /// Notes that the server asks for more input: the time between doesn't count against the client.
    func resumes() {
        guard let since = pausedSince else { return }
        pausedSince = nil
        if let began = requestBegan { requestBegan = began + (now() - since) }
    }

    /// Starts watching a connection.
    func start(_ context: ChannelHandlerContext) {
        noteActivity()
        schedule(at: now() + limits.request, in: context)
    }

    /// Stops watching.
    func stop() {
        timer?.cancel()
        timer = nil
    }

    private func schedule(at time: NIODeadline, in context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.check(context) }
    }

    private func check(_ context: ChannelHandlerContext) {
        let now = now()
        let unsent = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        // A client that reads a part of an answer isn't silent.
        if unsent < unsentByteCount { noteActivity() }
        unsentByteCount = unsent
        var ends = [lastActivity + (unsent > 0 ? max(limits.idle, Self.maximumStall) : limits.idle)]
        if let began = requestBegan, pausedSince == nil { ends.append(began + limits.request) }
        guard ends.allSatisfy({ $0 > now }) else {
            context.close(promise: nil)
            return
        }
        // A request that begins meanwhile is checked in time.
        schedule(at: min(ends.min() ?? now, now + limits.request), in: context)
    }
}
