/// A check of a request's first line, `METHOD target HTTP/1.1` (RFC 9112 §3), byte by byte.
///
/// SwiftNIO's parser accepts several spaces as one, and the names of other protocols in place of HTTP.
struct RequestLineScanner {
    private static let protocolName = Array("HTTP/".utf8)

    private var spaceCount = 0

    /// The number of bytes so far of the current part.
    private var partCount = 0

    /// The number of matching bytes of ``protocolName`` at the beginning of the third part, or `nil` once it differs.
    private var matchedCount: Int? = 0

    /// Whether a part is empty.
    ///
    /// The last one is excluded, since it may still arrive.
    private var hasEmptyPart = false

    /// Whether only line ends have arrived.
    ///
    /// Empty lines may precede a request (RFC 9112 §2.2).
    var isEmpty: Bool { spaceCount == 0 && partCount == 0 }

    /// Whether there are at most three parts with one space between them, of which the third begins with `HTTP/`.
    ///
    /// SwiftNIO's parser refuses fewer parts.
    var isSound: Bool {
        !hasEmptyPart && (spaceCount < 2 || spaceCount == 2 && matchedCount == Self.protocolName.count)
    }

    /// Reads the next byte of the line.
    mutating func take(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: " "):
            hasEmptyPart = hasEmptyPart || partCount == 0
            spaceCount += 1
            partCount = 0
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"): break
        default:
            partCount += 1
            guard spaceCount == 2, let count = matchedCount, count < Self.protocolName.count else { return }
            matchedCount = byte == Self.protocolName[count] ? count + 1 : nil
        }
    }
}
