import NIOCore

/// What comes of a connection while one of its answers is awaited.
struct HeldBytes {
    /// How many bytes the request that is answered had.
    let requestByteCount: Int

    /// What has come; `nil` for nothing, as mostly.
    private(set) var bytes: ByteBuffer?

    /// Whether nothing more comes.
    var isEnd = false

    /// Whether more was to be read.
    var wantsRead = false

    init(requestByteCount: Int) {
        self.requestByteCount = requestByteCount
    }

    /// Adds what has come.
    ///
    /// - Returns: how many bytes are kept now, those of the request included.
    mutating func append(_ buffer: ByteBuffer) -> Int {
        if bytes?.writeImmutableBuffer(buffer) == nil { bytes = buffer }
        return requestByteCount + (bytes?.readableBytes ?? 0)
    }
}
