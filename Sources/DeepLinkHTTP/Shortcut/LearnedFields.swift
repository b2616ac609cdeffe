import NIOCore
import NIOHTTP1

/// Is the header fields of a request that went the plain way: their bytes, and what the parser read in them.
///
/// Fields with the same bytes say the same, so they need not be parsed again. It is a class so that using it costs one
/// reference count.
final class LearnedFields {
    /// The most bytes that are kept.
    private static let maximumByteCount = 1024

    /// What the parser read.
    let headers: HTTPHeaders

    /// What follows the request line, with the empty line at the end.
    private let bytes: ByteBuffer

    /// Learns from a whole head and what was parsed from it; `nil` where its line is not plain, or its fields are many.
    init?(_ piece: ByteBuffer, _ head: HTTPRequestHead) {
        guard let line = PlainTarget(piece.readableBytesUInt8Span),
            piece.readableBytes - line.byteCount <= Self.maximumByteCount
        else { return nil }
        headers = head.headers
        // A copy, so that the whole piece is not kept for it.
        bytes = ByteBuffer(bytes: piece.readableBytesView.dropFirst(line.byteCount))
        byteCount = bytes.readableBytes
    }

    /// How many bytes the fields have, with the empty line.
    let byteCount: Int

    /// Tells whether the same bytes stand in others, so many bytes after their beginning.
    func follow(_ count: Int, in buffer: ByteBuffer) -> Bool {
        buffer.getSlice(at: buffer.readerIndex + count, length: byteCount) == bytes
    }
}
