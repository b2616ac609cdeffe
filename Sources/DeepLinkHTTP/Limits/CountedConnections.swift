import HummingbirdCore
import Logging

/// The limit of open connections, which counts them in the server's load.
struct CountedConnections: AvailableConnectionsDelegate {
    /// The server's load.
    let load: ServerLoad

    /// The maximum number of open connections; others wait to be accepted.
    let maximumCount: Int

    /// The log of connections, at `trace`.
    let logger: Logger

    func connectionOpened() {
        load.connectionOpened()
        trace("Connection opened")
    }

    func connectionClosed() {
        load.connectionClosed()
        trace("Connection closed")
    }

    func isAcceptingNewConnections() -> Bool { load.openConnectionCount < maximumCount }

    private func trace(_ event: Logger.Message) {
        logger.trace(event, metadata: ["connections": .stringConvertible(load.openConnectionCount)])
    }
}
