import NIOCore

/// The input of a connection that arrives while one of its answers is awaited.
struct PausedInput {
    /// The size of the request that is being answered, in bytes.
    let requestByteCount: Int

    /// The bytes that have arrived; `nil` for none, which is usual.
    private(set) var bytes: ByteBuffer?

    /// Whether the input has ended.
    var isEnd = false

    /// Whether a read was requested.
    var wantsRead = false

    init(requestByteCount: Int) {
        self.requestByteCount = requestByteCount
    }

    /// Adds bytes that have arrived.
    ///
    /// - Returns: the number of bytes that are kept now, those of the request included.
    mutating func append(_ buffer: ByteBuffer) -> Int {
        if bytes?.writeImmutableBuffer(buffer) == nil { bytes = buffer }
        return requestByteCount + (bytes?.readableBytes ?? 0)
    }
}
