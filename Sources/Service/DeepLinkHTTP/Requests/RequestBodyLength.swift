import NIOCore

/// The length of a request's body (RFC 9112 §6.3).
enum RequestBodyLength: Equatable {
    /// There is no body.
    case none

    /// The body has this many bytes.
    case bytes(Int)

    /// The body comes in chunks, each with its length.
    case chunked
}

extension RequestBodyLength {
    /// The length of a body that has arrived whole.
    init(of body: ByteBuffer) {
        self = body.readableBytes > 0 ? .bytes(body.readableBytes) : .none
    }
}
