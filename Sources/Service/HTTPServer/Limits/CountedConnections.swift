import HummingbirdCore
import Logging
package import NIOCore
import Synchronization

/// The limit of a port's open connections.
///
/// It also counts them in the server's load.
///
/// A few more are accepted without a place. They wait for one, except for supervisors' requests, answered at any time
/// (``WaitingConnectionHandler``). Further connections wait in the system's queue.
///
/// Each port has its own limit, since a waiting port resumes when one of its own connections closes, and is not
/// notified of others.
final class CountedConnections: AvailableConnectionsDelegate {
    /// An event for a waiting connection.
    enum Event: Sendable {
        /// The connection has a place.
        case placed

        /// Newer connections wait, and this one had to make room.
        case displaced
    }

    /// The maximum number of connections that wait without a place.
    ///
    /// The oldest are displaced.
    static let waitingCount = 24

    /// The number of connections beyond the places: waiting ones, and ones about to close.
    private static let reserve = 32

    /// The minimum time between two warnings that all places are taken.
    private static let warningInterval = Duration.seconds(60)

    private struct State {
        var count = 0
        var waiting: [any Channel] = []
        var lastWarning: ContinuousClock.Instant?
    }

    private let load: ServerLoad
    private let maximumCount: Int
    private let reserve: Int
    private let logger: Logger
    private let state = Mutex(State())

    /// Creates a count of zero connections.
    ///
    /// - Parameters:
    ///   - load: the server's load.
    ///   - maximumCount: the number of places.
    ///   - hasReserve: whether a few connections are accepted without a place.
    ///   - logger: the log for reaching the limit, and for connections at `trace`.
    init(load: ServerLoad, maximumCount: Int, hasReserve: Bool, logger: Logger) {
        self.load = load
        self.maximumCount = maximumCount
        reserve = hasReserve ? Self.reserve : 0
        self.logger = logger
    }

    func connectionOpened() {
        state.withLock { $0.count += 1 }
        load.connectionOpened()
        trace("Connection opened")
    }

    func connectionClosed() {
        let next: (any Channel)? = state.withLock { state in
            state.count -= 1
            guard !state.waiting.isEmpty, state.count - state.waiting.count < maximumCount else { return nil }
            return state.waiting.removeFirst()
        }
        next?.pipeline.fireUserInboundEventTriggered(Event.placed)
        load.connectionClosed()
        trace("Connection closed")
    }

    func isAcceptingNewConnections() -> Bool { state.withLock { $0.count - reserve < maximumCount } }

    /// Gives an accepted connection a place if there is one.
    ///
    /// Otherwise it waits, and receives an ``Event``.
    ///
    /// - Returns: whether it has a place.
    func place(_ channel: any Channel) -> Bool {
        let now = ContinuousClock.now
        let (isPlaced, displaced, warns): (Bool, (any Channel)?, Bool) = state.withLock { state in
            guard state.count - state.waiting.count > maximumCount else { return (true, nil, false) }
            state.waiting.append(channel)
            let warns = state.lastWarning.map { now - $0 >= Self.warningInterval } ?? true
            if warns { state.lastWarning = now }
            return (false, state.waiting.count > Self.waitingCount ? state.waiting.removeFirst() : nil, warns)
        }
        displaced?.pipeline.fireUserInboundEventTriggered(Event.displaced)
        if warns {
            logger.warning(
                "As many connections are open as the settings allow: others wait, and only probes and metrics are answered.",
                metadata: ["limit": .stringConvertible(maximumCount)]
            )
        }
        return isPlaced
    }

    /// Removes a waiting connection that has closed.
    func forget(_ channel: any Channel) { state.withLock { $0.waiting.removeAll { $0 === channel } } }

    private func trace(_ event: Logger.Message) {
        logger.trace(event, metadata: ["connections": .stringConvertible(load.openConnectionCount)])
    }
}

/// The time limits of a connection.
package struct ConnectionLimits: Sendable {
    /// The time after which a silent connection is closed.
    package var idle = TimeAmount.seconds(30)

    /// The time limit for a request to arrive, from its first byte to its last, and for each line of a batch.
    package var request = TimeAmount.seconds(10)

    /// The time for which the rest of a request is discarded after an early response, so that the client can read the
    /// response before the connection closes (RFC 9112 §9.6).
    package var linger = TimeAmount.seconds(1)

    /// Creates the service's default limits.
    package init() {}
}
