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
