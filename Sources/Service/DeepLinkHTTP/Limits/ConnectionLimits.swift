package import NIOCore

/// The time limits of a connection.
package struct ConnectionLimits: Sendable {
    /// The time after which a silent connection is closed.
    package var idle = TimeAmount.seconds(30)

    /// The time that a request may take to arrive, from its first byte to its last, however slowly it drips; a line of
    /// a batch likewise.
    package var request = TimeAmount.seconds(10)

    /// The time during which the rest of a request is thrown away after an early answer, so that the client can read
    /// the answer before the connection ends (RFC 9112 §9.6).
    package var linger = TimeAmount.seconds(1)

    /// Creates the service's default limits.
    package init() {}
}
