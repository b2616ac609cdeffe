package import NIOCore

/// The limits of a connection: how long what may take.
package struct ConnectionLimits: Sendable {
    /// How long a connection may be silent before it is closed.
    package var idle = TimeAmount.seconds(30)

    /// How long a request may take to arrive, from its first byte to its last, whatever drips; a line of a batch
    /// likewise.
    package var request = TimeAmount.seconds(10)

    /// How long the rest of a request is thrown away after an early answer, so that the client can read the answer
    /// before the connection ends (RFC 9112 §9.6).
    package var linger = TimeAmount.seconds(1)

    /// Takes the values that the service runs with.
    package init() {}
}
