package import HTTPTypes
package import HummingbirdCore
package import NIOCore
import NIOHTTP1
import Synchronization

/// The response of an application, independent of how it is sent.
package struct ServerResponse: Sendable {
    /// The body of a response.
    package enum Body: Sendable {
        /// No body, as with some statuses.
        case none

        /// Bytes written for this response.
        case bytes([UInt8])

        /// Bytes that many responses share.
        case shared(ByteBuffer)

        /// Bytes that are written as they are produced.
        case stream(ResponseBody)
    }

    /// The media type of problems (RFC 9457 §3).
    package static let problemType = "application/problem+json"

    /// The media type of JSON (RFC 8259 §11).
    package static let jsonType = "application/json"

    /// The status.
    package let status: HTTPResponse.Status

    /// The fields of this response, in addition to the fields of every response.
    package let fields: HTTPFields

    /// The type of the body, or an empty text if there is none.
    package let mediaType: String

    /// The body.
    package let body: Body

    /// Creates a response without a body.
    package init(status: HTTPResponse.Status, fields: HTTPFields = HTTPFields()) {
        self.status = status
        self.fields = fields
        mediaType = ""
        body = .none
    }

    /// Creates a response with a body.
    package init(
        _ body: Body,
        ofType mediaType: String = jsonType,
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = HTTPFields()
    ) {
        self.status = status
        self.fields = fields
        self.mediaType = mediaType
        self.body = body
    }

    /// Returns the same response with additional fields.
    package func adding(_ more: HTTPFields) -> ServerResponse {
        var fields = fields
        fields.append(contentsOf: more)
        return ServerResponse(body, ofType: mediaType, status: status, fields: fields)
    }

    /// The length that the response declares for its body in bytes, or `nil` if it declares none.
    ///
    /// A response without a body declares 0, since it would otherwise end only with the connection (RFC 9112 §6.3).
    /// Responses with 204, 304 and 1xx never have a body, and must not, or need not, declare a length (RFC 9110 §8.6).
    package var contentLength: Int? {
        switch body {
        case .none: status.kind == .informational || status == .noContent || status == .notModified ? nil : 0
        case .bytes(let bytes): bytes.count
        case .shared(let bytes): bytes.readableBytes
        case .stream: nil
        }
    }

    /// The fields of the response, complete except for the ones known when it is sent: date, id, and whether the
    /// connection closes.
    package var completeFields: HTTPFields {
        var fields = fields
        if !mediaType.isEmpty { fields[.contentType] = mediaType }
        if let contentLength { fields[.contentLength] = String(contentLength) }
        ResponseHeaders.complete(&fields)
        return fields
    }
}

/// The header fields of every response.
enum ResponseHeaders {
    /// A policy that keeps browsers from running or framing anything, even if a response repeats parts of a link.
    ///
    /// Pages have their own policy.
    private static let policy = "default-src 'none'; frame-ancestors 'none'"

    /// Adds the fields to a response's own.
    static func complete(_ fields: inout HTTPFields) {
        // Browsers must not guess a type either.
        fields[.xContentTypeOptions] = "nosniff"
        if fields[.contentSecurityPolicy] == nil { fields[.contentSecurityPolicy] = policy }
        // A response that depends on a user must not be stored (RFC 9111 §5.2.2.5). A storable response has its own
        // field.
        if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
    }
}

/// The serializer of complete responses.
///
/// It writes status line, fields and body in one step.
///
/// SwiftNIO's encoder writes head and body separately, from fields that are copied twice on the way to it (decision
/// record 13).
struct ResponseSerializer {
    /// The properties of a response that depend on its request and its connection.
    struct Framing {
        /// The id of the request.
        let id: String

        /// Whether the connection closes after the response.
        let isLast: Bool

        /// Whether the request is `HEAD`, for which the response omits the body.
        let isHead: Bool

        /// Whether the request uses HTTP/1.0, in which a body without a length ends with the connection.
        let isOldVersion: Bool
    }

    private static let plainStart = Array("HTTP/1.1 200 OK\r\n".utf8)
    private static let plainType = Array("Content-Type: application/json\r\n".utf8)
    private static let lengthName = Array("Content-Length: ".utf8)
    private static let usualStart = plainStart + plainType + lengthName
    private static let end = Array("\r\n\r\n".utf8)
    private static let lastEnd = Array("\r\nConnection: close\r\n\r\n".utf8)

    /// The beginning of each problem with the status 403, up to the value of its length.
    private static let denialStart: [UInt8] = {
        let status = HTTPResponse.Status.forbidden
        let line = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        return Array("\(line)Content-Type: \(ServerResponse.problemType)\r\n".utf8) + lengthName
    }()

    private static let (cached, uncached) = (lines(isStored: true), lines(isStored: false))
    private static let (cachedPage, uncachedPage) = (
        lines(isStored: true, hasPolicy: true), lines(isStored: false, hasPolicy: true)
    )

    private var date = HTTPDate()

    /// The lines of a response without fields of its own, between its length and its id, for the second of
    /// ``usualSecond``.
    private var usualMiddle: [UInt8] = []
    private var usualSecond = Int64.min

    /// The lines that any connection wrote last, in memory that connections share.
    private static let newestMiddle = Mutex<(second: Int64, bytes: [UInt8])>((.min, []))

    /// Returns the lines of the fields of every response, after its length, up to the name of the date.
    ///
    /// A response's own fields for caching and a page's policy replace these.
    private static func lines(isStored: Bool, hasPolicy: Bool = false) -> [UInt8] {
        var fields: HTTPFields = isStored ? [.cacheControl: ""] : [:]
        if hasPolicy { fields[.contentSecurityPolicy] = "" }
        ResponseHeaders.complete(&fields)
        if isStored { fields[.cacheControl] = nil }
        if hasPolicy { fields[.contentSecurityPolicy] = nil }
        return Array(fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined().utf8) + Array("Date: ".utf8)
    }

    /// Appends a response to a buffer.
    mutating func write(
        _ response: ServerResponse,
        framing: Framing,
        at second: Int64,
        to buffer: inout ByteBuffer
    ) {
        if case .bytes(let body) = response.body, response.fields.isEmpty, response.status.code == 200,
            response.mediaType.utf8.count == ServerResponse.jsonType.utf8.count
        {
            return writeRest(body, after: Self.usualStart, framing: framing, at: second, to: &buffer)
        }
        if case .bytes(let body) = response.body, response.fields.isEmpty, response.status.code == 403,
            response.mediaType.utf8.count == ServerResponse.problemType.utf8.count
        {
            return writeRest(body, after: Self.denialStart, framing: framing, at: second, to: &buffer)
        }
        let body: [UInt8] = if case .bytes(let bytes) = response.body, !framing.isHead { bytes } else { [] }
        var (isStored, hasPolicy) = (false, false)
        var count = response.status.reasonPhrase.utf8.count + response.mediaType.utf8.count + framing.id.utf8.count
        for field in response.fields {
            count += field.name.rawName.utf8.count + field.value.utf8.count + 4
            if field.name == .cacheControl { isStored = true }
            if field.name == .contentSecurityPolicy { hasPolicy = true }
        }
        let common =
            hasPolicy
            ? isStored ? Self.cachedPage : Self.uncachedPage : isStored ? Self.cached : Self.uncached
        count += common.count + body.count + Self.maximumRestByteCount
        let date = date.string(at: second)
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { place in
            var writer = ByteWriter(place)
            Self.writeStart(of: response, framing: framing, to: &writer)
            for field in response.fields { writer.write(field.name.rawName, value: field.value) }
            if let length = response.contentLength {
                if !response.mediaType.isEmpty { writer.write("Content-Type", value: response.mediaType) }
                writer.write(Self.lengthName.span)
                writer.write(length)
                writer.writeStatic("\r\n")
            }
            writer.write(common.span)
            writer.write(date)
            writer.writeStatic("\r\nX-Request-Id: ")
            writer.write(framing.id)
            writer.write((framing.isLast ? Self.lastEnd : Self.end).span)
            writer.write(body.span)
            return writer.count
        }
        if case .shared(let bytes) = response.body, !framing.isHead { buffer.writeImmutableBuffer(bytes) }
    }

    /// The maximum size of a head in bytes, without the texts of its fields and status: status line, content type,
    /// length, date, the name of the id, and the end.
    private static let maximumRestByteCount = 256

    /// Writes the length and the rest of a response without fields of its own, in one step, with a middle that is
    /// renewed each second.
    private mutating func writeRest(
        _ body: [UInt8],
        after start: [UInt8],
        framing: Framing,
        at second: Int64,
        to buffer: inout ByteBuffer
    ) {
        if second != usualSecond {
            usualSecond = second
            let date = date.string(at: second)
            usualMiddle = Self.newestMiddle.withLock { newest in
                if newest.second != second {
                    let bytes = Array("\r\n".utf8) + Self.uncached + date.utf8 + Array("\r\nX-Request-Id: ".utf8)
                    newest = (second, bytes)
                }
                return newest.bytes
            }
        }
        let end = framing.isLast ? Self.lastEnd : Self.end
        let count = start.count + ByteWriter.maximumDigitCount + usualMiddle.count + framing.id.utf8.count + end.count
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count + body.count) { place in
            var writer = ByteWriter(place)
            writer.write(start.span)
            writer.write(body.count)
            writer.write(usualMiddle.span)
            writer.write(framing.id)
            writer.write(end.span)
            if !framing.isHead { writer.write(body.span) }
            return writer.count
        }
    }

    private static func writeStart(of response: ServerResponse, framing: Framing, to writer: inout ByteWriter) {
        if response.status.code == 200 { return writer.write(plainStart.span) }
        let status = HTTPResponseStatus(statusCode: response.status.code, reasonPhrase: response.status.reasonPhrase)
        writer.writeStatic(framing.isOldVersion && response.contentLength == nil ? "HTTP/1.0 " : "HTTP/1.1 ")
        writer.write(Int(status.code))
        writer.writeStatic(" ")
        writer.write(status.reasonPhrase)
        writer.writeStatic("\r\n")
    }
}

/// The time in the format of the header field `Date` (RFC 9110 §5.6.7).
///
/// Its text is cached for one second, by each connection and globally.
struct HTTPDate {
    /// The second that any connection wrote last, and its text.
    private static let newest = Mutex<(second: Int64, text: String)>((.min, ""))

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private var second: Int64?
    private var written = ""

    /// Returns the text of a time in seconds since 1970, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    mutating func string(at second: Int64) -> String {
        if second == self.second { return written }
        self.second = second
        written = Self.newest.withLock { newest in
            if newest.second != second { newest = (second, Self.text(at: second)) }
            return newest.text
        }
        return written
    }

    /// Returns the text, by Hinnant's algorithm for the civil date of a day, in which a year begins in March.
    private static func text(at second: Int64) -> String {
        let day = second / 86_400 - (second % 86_400 < 0 ? 1 : 0)
        let time = second - day * 86_400
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        func digits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        // The first day of the epoch was a Thursday.
        let dayName = days[Int(((day + 4) % 7 + 7) % 7)]
        let monthName = months[Int(month + 2) % 12]
        let clock = [time / 3_600, time / 60 % 60, time % 60].map(digits).joined(separator: ":")
        let yearDigits = String(repeating: "0", count: max(0, 4 - "\(year)".utf8.count)) + "\(year)"
        return "\(dayName), \(digits(dayOfMonth)) \(monthName) \(yearDigits) \(clock) GMT"
    }
}

/// A writer of a response into memory that is large enough for all of it.
///
/// Requesting room from a buffer for each piece costs more than the pieces.
struct ByteWriter: ~Copyable {
    /// The maximum number of digits of a number.
    static let maximumDigitCount = 19

    private let place: UnsafeMutableRawBufferPointer

    /// The number of bytes written so far.
    private(set) var count = 0

    /// Creates a writer into memory with room for everything written.
    init(_ place: UnsafeMutableRawBufferPointer) {
        self.place = place
    }

    /// Writes bytes.
    mutating func write(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: place[count...]).copyMemory(from: $0) }
        count += bytes.count
    }

    /// Writes a text.
    mutating func write(_ text: String) { write(text.utf8Span.span) }

    /// Writes a static text.
    mutating func writeStatic(_ text: StaticString) {
        write(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount).span)
    }

    /// Writes a non-negative number in decimal digits.
    mutating func write(_ number: Int) {
        var (digitCount, rest) = (1, number)
        while rest > 9 { (digitCount, rest) = (digitCount + 1, rest / 10) }
        rest = number
        for index in (count..<count + digitCount).reversed() {
            place[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += digitCount
    }

    /// Writes the line of a header field.
    mutating func write(_ name: String, value: String) {
        write(name)
        writeStatic(": ")
        write(value)
        writeStatic("\r\n")
    }
}
