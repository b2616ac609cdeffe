import Glibc
import NIOCore

/// The timer that closes a connection if it is silent for too long, or if a request takes too long to arrive.
///
/// Each connection has one timer. It fires at most once within the time limit of a request. A timer for each request
/// would cost more than some responses.
final class ConnectionTimeouts {
    /// The time for which a response may stay unsent because the client does not read it.
    private static let maximumStall = TimeAmount.seconds(60)

    private let limits: ConnectionLimits
    private let now: () -> NIODeadline
    private var lastActivity: NIODeadline
    private var requestBegan: NIODeadline?

    /// The time since which the server itself has stopped reading, because it is busy with its input, or `nil` while it
    /// reads.
    private var pausedSince: NIODeadline?

    /// Whether the client waits for the response to a complete request, and so is not silent.
    private var isAnswering = false

    /// The number of unsent response bytes at the last check.
    private var unsentByteCount = 0

    /// The last activity before a check that found unread bytes, or `nil` for none.
    private var activityBeforeUnread: NIODeadline?

    private var timer: Scheduled<Void>?

    /// Prepares to monitor a connection.
    ///
    /// - Parameters:
    ///   - limits: the time limits.
    ///   - now: the clock of the connection's event loop, replaced in tests.
    init(_ limits: ConnectionLimits, now: @escaping () -> NIODeadline = NIODeadline.now) {
        self.limits = limits
        self.now = now
        lastActivity = now()
    }

    /// Records that bytes arrived, or were passed on to be sent.
    func noteActivity() { lastActivity = now() }

    /// Records that a request has begun to arrive, unless one has already.
    func requestBegins() { if requestBegan == nil { requestBegan = lastActivity } }

    /// Records that a line of a stream has arrived.
    ///
    /// The next line has its own time limit.
    func lineEnded() { if requestBegan != nil { requestBegan = lastActivity } }

    /// Records that a complete request has arrived.
    func requestEnded() { requestBegan = nil }

    /// Records that the client waits for a response.
    func answerBegins() { isAnswering = true }

    /// Records that the client waits no longer.
    func answerEnds() { isAnswering = false }

    /// Records that the server has read the input it asked for.
    func pauses() { if requestBegan != nil { pausedSince = now() } }

    /// Records that the server asks for more input.
    ///
    /// The time in between does not count against the client.
    func resumes() {
        guard let since = pausedSince else { return }
        pausedSince = nil
        if let began = requestBegan { requestBegan = began + (now() - since) }
    }

    /// Starts monitoring a connection.
    func start(_ context: ChannelHandlerContext) {
        noteActivity()
        schedule(at: now() + limits.request, in: context)
    }

    /// Stops monitoring.
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
        // A client that reads part of a response isn't silent.
        if unsent < unsentByteCount { noteActivity() }
        unsentByteCount = unsent
        // A request that begins in the meantime is checked in time.
        let latest = now + limits.request
        var next = latest
        if unsent > 0 {
            next = min(next, lastActivity + max(limits.idle, Self.maximumStall))
        } else if !isAnswering {
            next = min(next, lastActivity + limits.idle)
        }
        if let began = requestBegan, pausedSince == nil { next = min(next, began + limits.request) }
        if next > now {
            schedule(at: next, in: context)
        } else if unsent == 0, hasUnseenRequest(in: context.channel) {
            schedule(at: latest, in: context)
        } else {
            context.close(promise: nil)
        }
    }

    /// Returns whether the next request has arrived at the end of a silence, and was not read because the event loop is
    /// busy, for example with closing thousands of other connections.
    ///
    /// Closing on it would leave the client without an answer. Bytes that are still unread at the next check are no
    /// reason to keep the connection.
    private func hasUnseenRequest(in channel: any Channel) -> Bool {
        guard requestBegan == nil, activityBeforeUnread != lastActivity, channel.hasUnreadBytes else { return false }
        activityBeforeUnread = lastActivity
        return true
    }
}

extension Channel {
    /// Whether the socket has bytes of the client, or the end of its input, that the server has not read yet.
    ///
    /// The event loop reads no socket while it runs tasks.
    var hasUnreadBytes: Bool {
        let count = try? pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: NIOBSDSocket.Handle) in
            var question = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            return poll(&question, 1, 0)
        }
        return count.map { $0 > 0 } ?? false
    }
}
