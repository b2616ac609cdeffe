/// The boundaries of heads, bodies and chunks in the bytes of a connection, checked more strictly than by SwiftNIO's
/// parser.
///
/// That parser ignores chunk extensions, although intermediaries are known to read them differently (request
/// smuggling). It also reports neither when a request began to arrive nor whether its first line exceeded the limit.
struct RequestFramingParser {
    /// A fault in the bytes.
    typealias FramingError = RequestFault.Framing

    private enum Phase {
        case head
        case body(Int)
        case chunkLength
        case chunkData(Int)
        case trailers
    }

    /// The maximum size of a head, in bytes.
    ///
    /// Smaller limits for its parts are checked once it is complete.
    static let maximumHeadByteCount = 64 * 1024

    /// The maximum number of digits of a chunk's length.
    private static let maximumDigitCount = 8

    private static let (carriageReturn, lineFeed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))

    private var phase = Phase.head

    /// The number of bytes so far of the head, the chunk's length line or the trailers, all of which the parser
    /// buffers.
    private(set) var count = 0

    /// The last four bytes of the current part, the newest in the lowest byte, to detect CRLFCRLF.
    private var recent: UInt32 = 0

    /// The number of bytes of the head up to the end of its first line, or `nil` until that ends.
    private var lineCount: Int?

    /// The scanner of the head's first line.
    private var line = RequestLineScanner()

    private var chunkSize = 0

    /// Whether a head has just ended, so that ``begin(_:)`` must be called with the length of its body.
    private(set) var isAtHeadEnd = false

    /// Whether no byte of the next request has arrived.
    var isBetweenRequests: Bool {
        if case .head = phase { count == 0 } else { false }
    }

    /// Begins the body of the head that has just ended, or nothing if there were only empty lines.
    mutating func begin(_ body: RequestBodyLength?) {
        isAtHeadEnd = false
        switch body {
        case .bytes(let length)? where length > 0: reset(to: .body(length))
        case .chunked?: reset(to: .chunkLength)
        default: reset(to: .head)
        }
    }

    /// Advances over bytes, and returns how many of them belong to the same head or body.
    ///
    /// - Complexity: linear in the length of heads, chunk lengths and trailers. The bytes of bodies are skipped.
    mutating func advance(_ bytes: some Collection<UInt8>) throws(FramingError) -> Int {
        switch phase {
        case .head:
            let taken = try scan(bytes)
            if taken == nil || count > Self.maximumHeadByteCount {
                guard count <= Self.maximumHeadByteCount else {
                    throw lineCount ?? count > RequestHeadRules.maximumFieldByteCount ? .lineTooLong : .headTooLong
                }
                return bytes.count
            }
            isAtHeadEnd = true
            return taken ?? bytes.count
        case .body(let rest):
            let taken = min(rest, bytes.count)
            if taken == rest { reset(to: .head) } else { phase = .body(rest - taken) }
            return taken
        case .chunkLength, .chunkData, .trailers: return try advanceChunks(bytes)
        }
    }

    private mutating func reset(to phase: Phase) {
        self.phase = phase
        count = 0
        recent = 0
        lineCount = nil
        line = RequestLineScanner()
    }

    /// Finds the empty line that ends a head, or returns `nil` if it has not arrived.
    private mutating func scan(_ bytes: some Collection<UInt8>) throws(FramingError) -> Int? {
        var taken = 0
        for byte in bytes {
            taken += 1
            recent = recent << 8 | UInt32(byte)
            // Only the first line is scanned byte by byte.
            if lineCount == nil { line.take(byte) }
            guard byte == Self.lineFeed else { continue }
            if lineCount == nil, !line.isEmpty {
                guard line.isSound else { throw .requestLine }
                lineCount = count + taken
            }
            guard recent == 0x0D0A_0D0A else { continue }
            count += taken
            return taken
        }
        count += taken
        return nil
    }

    // MARK: Chunks

    /// Reads chunks, up to the end of the body or of the bytes.
    private mutating func advanceChunks(_ bytes: some Collection<UInt8>) throws(FramingError) -> Int {
        var rest = bytes[...]
        while let byte = rest.first {
            switch phase {
            case .head, .body: return bytes.count - rest.count
            case .chunkLength:
                try takeLength(byte)
                rest = rest.dropFirst()
            case .chunkData(let size) where size > 2:
                let taken = min(size - 2, rest.count)
                phase = .chunkData(size - taken)
                rest = rest.dropFirst(taken)
            case .chunkData(let size):
                guard byte == (size == 2 ? Self.carriageReturn : Self.lineFeed) else { throw .chunkEnd }
                if size == 2 { phase = .chunkData(1) } else { reset(to: .chunkLength) }
                rest = rest.dropFirst()
            case .trailers:
                count += 1
                guard count <= Self.maximumHeadByteCount else { throw .trailersTooLong }
                recent = recent << 8 | UInt32(byte)
                rest = rest.dropFirst()
                // The line of the last chunk ended just before, so an empty line is the end.
                if recent == 0x0D0A_0D0A { reset(to: .head) }
            }
        }
        return bytes.count - rest.count
    }

    /// Reads a byte of a chunk's length: hexadecimal digits, then CRLF, and nothing else.
    private mutating func takeLength(_ byte: UInt8) throws(FramingError) {
        if recent == UInt32(Self.carriageReturn) {
            guard byte == Self.lineFeed else { throw .chunkLength }
            let size = chunkSize
            chunkSize = 0
            if size == 0 {
                reset(to: .trailers)
                recent = 0x0D0A
            } else {
                reset(to: .chunkData(size + 2))
            }
            return
        }
        if byte == Self.carriageReturn, count > 0 {
            recent = UInt32(byte)
            return
        }
        guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, count < Self.maximumDigitCount else {
            throw .chunkLength
        }
        count += 1
        chunkSize = chunkSize << 4 | digit
    }
}

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
