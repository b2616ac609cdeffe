package import HTTPTypes
package import NIOCore

/// The head of a request, parsed once: its target, and the fields that the server reads.
///
/// It is a class, so that passing it on counts one reference instead of one for each part.
package final class RequestHead: Sendable {
    /// The method.
    package let method: HTTPRequest.Method

    /// The path with its query, beginning with a slash, in ASCII, or `*` for `OPTIONS` of the server itself.
    package let target: String

    /// The header fields that the server and its application read.
    package let fields: RequestFields

    /// Whether the body consists of lines, each of which is a request by itself.
    package let takesLines: Bool

    /// The offset of the query's question mark in the target, or the target's length if it has none.
    private let pathByteCount: Int

    /// The id of the request, the client's own or a new one.
    package let id: String

    /// The time at which the head had arrived.
    package let arrival: NIODeadline

    /// Creates a head from its parts.
    package init(
        _ method: HTTPRequest.Method,
        target: String,
        pathByteCount: Int,
        fields: consuming RequestFields,
        takesLines: Bool,
        id: String,
        arrival: NIODeadline = .now()
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.takesLines = takesLines
        self.id = id
        self.arrival = arrival
        self.pathByteCount = pathByteCount
    }

    /// The path, without the query.
    package var path: Substring { Self.path(of: target, byteCount: pathByteCount) }

    /// The offset of the query in the target, after its question mark, or the target's length if there is none.
    package var queryStart: Int { min(pathByteCount + 1, target.utf8.count) }

    /// The query as sent, without its question mark, or an empty text if there is none.
    package var query: Substring { target[target.utf8.index(target.startIndex, offsetBy: queryStart)...] }

    /// Whether the request only reads, by `GET` or `HEAD`.
    package var isRead: Bool { method == .get || method == .head }

    /// Returns the offset of the query's question mark in a target, or the target's length if it has none.
    package static func pathByteCount(of target: String) -> Int {
        let bytes = target.utf8Span.span
        var count = 0
        while count < bytes.count, bytes[count] != UInt8(ascii: "?") { count &+= 1 }
        return count
    }

    private static func path(of target: String, byteCount: Int) -> Substring {
        target[..<target.utf8.index(target.startIndex, offsetBy: byteCount)]
    }
}

/// The way in which a request is read, which depends on its resource.
package struct RequestForm: Sendable {
    /// Whether the body consists of lines, each of which is a request by itself.
    package let takesLines: Bool

    /// Whether the request may omit `Host`.
    package let needsNoHost: Bool

    /// Creates a form.
    package init(takesLines: Bool, needsNoHost: Bool) {
        self.takesLines = takesLines
        self.needsNoHost = needsNoHost
    }
}

/// The ids of the requests of one connection, sent by the client or newly created.
struct RequestIDs {
    /// The maximum length of a client's id, in bytes.
    private static let maximumByteCount = 128

    private let connection = UInt64.random(in: 0 ... .max)
    private var count: UInt64 = 0

    /// Returns the client's id, of 1 to 128 visible ASCII characters (RFC 5234 §B.1, VCHAR).
    ///
    /// For any other, or several, it returns a new one of 15 hexadecimal digits, stored by Swift without an allocation.
    mutating func id(_ given: FieldValues) -> String {
        if case .one(let text) = given, (1...Self.maximumByteCount).contains(text.utf8.count),
            Self.isVisible(text)
        {
            return text
        }
        count += 1
        // Multiplying by an odd number keeps the ids of a connection distinct.
        return Self.hexadecimal(connection &+ count &* 0x9E37_79B9_7F4A_7C15)
    }

    private static func isVisible(_ text: String) -> Bool {
        let bytes = text.utf8Span.span
        for index in bytes.indices where !(0x21...0x7E).contains(bytes[index]) { return false }
        return true
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        String(unsafeUninitializedCapacity: 15) { digits in
            for place in 0..<15 {
                let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - place * 4) & 0xF)
                digits[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
            }
            return 15
        }
    }
}

/// The values of one header field, in the order of the request.
///
/// Most fields have at most one value.
package enum FieldValues: Sendable {
    case none
    case one(String)
    case several([String])

    /// Adds a value.
    package mutating func append(_ value: String) {
        switch self {
        case .none: self = .one(value)
        case .one(let first): self = .several([first, value])
        case .several(let values): self = .several(values + [value])
        }
    }

    /// The first value, or `nil` if the request does not have the field.
    package var first: String? {
        switch self {
        case .none: nil
        case .one(let value): value
        case .several(let values): values.first
        }
    }

    /// The number of times that the request has the field.
    package var count: Int {
        switch self {
        case .none: 0
        case .one: 1
        case .several(let values): values.count
        }
    }

    /// All values.
    package var all: [String] {
        switch self {
        case .none: []
        case .one(let value): [value]
        case .several(let values): values
        }
    }

    /// Returns whether a condition holds for one of the values.
    package func contains(where holds: (String) -> Bool) -> Bool {
        switch self {
        case .none: false
        case .one(let value): holds(value)
        case .several(let values): values.contains(where: holds)
        }
    }

    /// The values as one list (RFC 9110 §5.3), or `nil` if the request does not have the field.
    package var joined: String? {
        switch self {
        case .none: nil
        case .one(let value): value
        case .several(let values): values.joined(separator: ", ")
        }
    }

    /// Returns whether the field lists a token, in any case (RFC 9110 §5.6.1).
    package func hasToken(_ token: String) -> Bool {
        contains { field in
            field.utf8.split(separator: UInt8(ascii: ",")).contains { $0.trimmed.isWord(token) }
        }
    }
}

/// The comparison of header fields and targets as bytes, since comparing them as `Character`s would sort an attacker's
/// combining marks.
extension Substring.UTF8View {
    /// The bytes without optional white space at either end (RFC 9110 §5.6.3).
    var trimmed: Substring.UTF8View {
        var bytes = self
        while let byte = bytes.first, Self.isWhiteSpace(byte) { bytes.removeFirst() }
        while let byte = bytes.last, Self.isWhiteSpace(byte) { bytes.removeLast() }
        return bytes
    }

    /// Returns whether the bytes are a word of ASCII, given in lower case, in any case.
    func isWord(_ word: String) -> Bool {
        count == word.utf8.count && zip(self, word.utf8).allSatisfy { ($0 &- 0x41 < 26 ? $0 | 0x20 : $0) == $1 }
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

extension UInt8 {
    /// Whether the byte is a decimal digit.
    var isDigit: Bool { self &- 0x30 < 10 }
}

extension String {
    /// Returns whether the text consists of these bytes.
    func consists(of bytes: Span<UInt8>) -> Bool {
        let own = utf8Span.span
        guard own.count == bytes.count else { return false }
        var place = 0
        while place + EightBytes.count <= own.count {
            guard EightBytes(own, from: place) == EightBytes(bytes, from: place) else { return false }
            place += EightBytes.count
        }
        while place < own.count {
            guard own[place] == bytes[place] else { return false }
            place += 1
        }
        return true
    }

    /// Creates a text from bytes that are known to be ASCII, without checking them again.
    init(ascii bytes: Span<UInt8>) {
        self.init(copying: UTF8Span(unchecked: bytes, isKnownASCII: true))
    }
}

/// Eight bytes of a head, tested in one step (Warren, *Hacker's Delight*, 2nd edition, §6-1).
///
/// The engine's `ByteWord` would cost a call for each eight bytes, because the compiler does not inline it from another
/// module (decision record 38).
struct EightBytes: Equatable {
    static let count = 8

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    private let word: UInt64

    /// Loads the bytes from an index on, all of which must exist.
    @inline(__always)
    init(_ bytes: Span<UInt8>, from start: Int) {
        word = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
    }

    /// Returns whether all bytes are ASCII, none is below a limit of at most 0x80, and none is DEL.
    @inline(__always)
    func areAll(from lowest: UInt8) -> Bool {
        let below = (word &- Self.ones &* UInt64(lowest)) & ~word
        let deletes = word ^ (Self.ones &* 0x7F)
        return (word | below | (deletes &- Self.ones) & ~deletes) & Self.highBits == 0
    }

    /// Returns whether one of the bytes has a value.
    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let difference = word ^ (Self.ones &* UInt64(byte))
        return (difference &- Self.ones) & ~difference & Self.highBits != 0
    }
}
