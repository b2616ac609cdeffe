/// The form of a request's first line, `METHOD target HTTP/1.1` (RFC 9112 §3), followed byte by byte.
///
/// The parser takes several spaces for one, and other protocols' names for that of HTTP.
struct RequestLineScanner {
    private static let protocolName = Array("HTTP/".utf8)

    private var spaceCount = 0

    /// How many bytes of each part have come.
    private var partCount = 0

    /// How many bytes of ``protocolName`` the third part begins with; `nil` once it begins otherwise.
    private var matchedCount: Int? = 0

    /// Whether each part but the last, which may still come, has bytes.
    private var hasEmptyPart = false

    /// Whether nothing but the end of a line has come: empty lines may precede a request (RFC 9112 §2.2).
    var isEmpty: Bool { spaceCount == 0 && partCount == 0 }

    /// Whether there is one space between each two of at most three parts, the third of which begins with `HTTP/`; what
    /// has fewer parts the parser refuses.
    var isSound: Bool {
        !hasEmptyPart && (spaceCount < 2 || spaceCount == 2 && matchedCount == Self.protocolName.count)
    }

    /// Takes the next byte of the line.
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
