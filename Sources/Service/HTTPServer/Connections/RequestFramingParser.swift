import Glibc
import NIOCore

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

/// The timer that closes a connection if it is silent for too long, or if a request takes too long to arrive.
///
/// Each connection has one timer. It fires at most once within the time limit of a request. A timer for each request
/// would cost more than some responses.
final class ConnectionTimeouts {
    /// The time for which a response may stay unsent because the client does not read it.
    private static let maximumStall = TimeAmount.seconds(60)

    private let limits: ConnectionLimits
    private let now: () -> NIODeadline
    private var lastActivity: NIODeadline
    private var requestBegan: NIODeadline?

    /// The time since which the server itself has stopped reading, because it is busy with its input, or `nil` while it
    /// reads.
    private var pausedSince: NIODeadline?

    /// Whether the client waits for the response to a complete request, and so is not silent.
    private var isAnswering = false

    /// The number of unsent response bytes at the last check.
    private var unsentByteCount = 0

    /// The last activity before a check that found unread bytes, or `nil` for none.
    private var activityBeforeUnread: NIODeadline?

    private var timer: Scheduled<Void>?

    /// Prepares to monitor a connection.
    ///
    /// - Parameters:
    ///   - limits: the time limits.
    ///   - now: the clock of the connection's event loop, replaced in tests.
    init(_ limits: ConnectionLimits, now: @escaping () -> NIODeadline = NIODeadline.now) {
        self.limits = limits
        self.now = now
        lastActivity = now()
    }

    /// Records that bytes arrived, or were passed on to be sent.
    func noteActivity() { lastActivity = now() }

    /// Records that a request has begun to arrive, unless one has already.
    func requestBegins() { if requestBegan == nil { requestBegan = lastActivity } }

    /// Records that a line of a stream has arrived.
    ///
    /// The next line has its own time limit.
    func lineEnded() { if requestBegan != nil { requestBegan = lastActivity } }

    /// Records that a complete request has arrived.
    func requestEnded() { requestBegan = nil }

    /// Records that the client waits for a response.
    func answerBegins() { isAnswering = true }

    /// Records that the client waits no longer.
    func answerEnds() { isAnswering = false }

    /// Records that the server has read the input it asked for.
    func pauses() { if requestBegan != nil { pausedSince = now() } }

    /// Records that the server asks for more input.
    ///
    /// The time in between does not count against the client.
    func resumes() {
        guard let since = pausedSince else { return }
        pausedSince = nil
        if let began = requestBegan { requestBegan = began + (now() - since) }
    }

    /// Starts monitoring a connection.
    func start(_ context: ChannelHandlerContext) {
        noteActivity()
        schedule(at: now() + limits.request, in: context)
    }

    /// Stops monitoring.
    func stop() {
        timer?.cancel()
        timer = nil
    }

    private func schedule(at time: NIODeadline, in context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.check(context) }
    }

    private func check(_ context: ChannelHandlerContext) {
        let now = now()
        let unsent = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        // A client that reads part of a response isn't silent.
        if unsent < unsentByteCount { noteActivity() }
        unsentByteCount = unsent
        // A request that begins in the meantime is checked in time.
        let latest = now + limits.request
        var next = latest
        if unsent > 0 {
            next = min(next, lastActivity + max(limits.idle, Self.maximumStall))
        } else if !isAnswering {
            next = min(next, lastActivity + limits.idle)
        }
        if let began = requestBegan, pausedSince == nil { next = min(next, began + limits.request) }
        if next > now {
            schedule(at: next, in: context)
        } else if unsent == 0, hasUnseenRequest(in: context.channel) {
            schedule(at: latest, in: context)
        } else {
            context.close(promise: nil)
        }
    }

    /// Returns whether the next request has arrived at the end of a silence, and was not read because the event loop is
    /// busy, for example with closing thousands of other connections.
    ///
    /// Closing on it would leave the client without an answer. Bytes that are still unread at the next check are no
    /// reason to keep the connection.
    private func hasUnseenRequest(in channel: any Channel) -> Bool {
        guard requestBegan == nil, activityBeforeUnread != lastActivity, channel.hasUnreadBytes else { return false }
        activityBeforeUnread = lastActivity
        return true
    }
}

extension Channel {
    /// Whether the socket has bytes of the client, or the end of its input, that the server has not read yet.
    ///
    /// The event loop reads no socket while it runs tasks.
    var hasUnreadBytes: Bool {
        let count = try? pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: NIOBSDSocket.Handle) in
            var question = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            return poll(&question, 1, 0)
        }
        return count.map { $0 > 0 } ?? false
    }
}
