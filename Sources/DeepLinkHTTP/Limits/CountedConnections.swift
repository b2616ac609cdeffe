import HummingbirdCore
import Logging

/// The limit of a port's open connections, which counts them in the server's load.
///
/// Each port has its own: a port that waits goes on when one of its own connections ends, and learns of no others.
struct CountedConnections: AvailableConnectionsDelegate {
    /// The server's load.
    let load: ServerLoad

    /// The maximum number of open connections; others wait to be accepted.
    let maximumCount: Int

    /// The log of connections, at `trace`.
    let logger: Logger

    private var count = 0

    init(load: ServerLoad, maximumCount: Int, logger: Logger) {
        self.load = load
        self.maximumCount = maximumCount
        self.logger = logger
    }

    mutating func connectionOpened() {
        count += 1
        load.connectionOpened()
        trace("Connection opened")
    }

    mutating func connectionClosed() {
        count -= 1
        load.connectionClosed()
        trace("Connection closed")
    }

    func isAcceptingNewConnections() -> Bool { count < maximumCount }

    private func trace(_ event: Logger.Message) {
        logger.trace(event, metadata: ["connections": .stringConvertible(load.openConnectionCount)])
    }
}
