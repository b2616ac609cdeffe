import HummingbirdCore

/// The limit of open connections, which counts them in the server's load.
struct CountedConnections: AvailableConnectionsDelegate {
    /// The server's load.
    let load: ServerLoad

    /// The maximum number of open connections; others wait to be accepted.
    let maximumCount: Int

    func connectionOpened() { load.connectionOpened() }

    func connectionClosed() { load.connectionClosed() }

    func isAcceptingNewConnections() -> Bool { load.openConnectionCount < maximumCount }
}
