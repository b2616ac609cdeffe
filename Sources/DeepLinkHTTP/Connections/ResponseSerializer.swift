import DeepLinkCore
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The serializer of complete answers: it writes status line, fields and body in one step.
///
/// SwiftNIO's encoder writes head and body separately, from fields that are copied twice on the way to it (decision
/// record 13).
struct ResponseSerializer {
    /// The facts about an answer that depend on its request and its connection.
    struct Framing {
        /// The id of the request.
        let id: String

        /// Whether the connection ends with the answer.
        let isLast: Bool

        /// Whether the answer is to `HEAD`, and so has no body.
        let isHead: Bool

        /// Whether the request is of HTTP/1.0, which ends a body without a length with the connection.
        let isOldVersion: Bool
    }

    private static let plainStart = Array("HTTP/1.1 200 OK\r\n".utf8)
    private static let plainType = Array("Content-Type: application/json\r\n".utf8)
    private static let lengthName = Array("Content-Length: ".utf8)

    private static let (cached, uncached) = (lines(isStored: true), lines(isStored: false))
    private static let (cachedPage, uncachedPage) = (
        lines(isStored: true, hasPolicy: true), lines(isStored: false, hasPolicy: true)
    )

    private var date = HTTPDate()

    /// Returns the lines of the fields that every answer has, after a length, up to the name of the date.
    ///
    /// An answer's own fields for caching and for the policy of a page replace these.
    private static func lines(isStored: Bool, hasPolicy: Bool = false) -> [UInt8] {
        var fields: HTTPFields = isStored ? [.cacheControl: ""] : [:]
        if hasPolicy { fields[.contentSecurityPolicy] = "" }
        ResponseHeaders.complete(&fields)
        if isStored { fields[.cacheControl] = nil }
        if hasPolicy { fields[.contentSecurityPolicy] = nil }
        return Array(fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined().utf8) + Array("Date: ".utf8)
    }

    /// Writes an answer at the end of a buffer.
    mutating func write(
        _ response: EndpointResponse,
        framing: Framing,
        at time: Timestamp,
        to buffer: inout ByteBuffer
    ) {
        writeStart(of: response, framing: framing, to: &buffer)
        if !response.fields.isEmpty {
            for field in response.fields { writeLine(field.name.rawName, value: field.value, to: &buffer) }
        }
        let isStored = !response.fields.isEmpty && response.fields[.cacheControl] != nil
        if let length = response.contentLength { writeContent(ofType: response.mediaType, length: length, to: &buffer) }
        if !response.fields.isEmpty, response.fields[.contentSecurityPolicy] != nil {
            buffer.writeBytes(isStored ? Self.cachedPage : Self.uncachedPage)
        } else {
            buffer.writeBytes(isStored ? Self.cached : Self.uncached)
        }
        buffer.writeString(date.string(at: time))
        buffer.writeStaticString("\r\nX-Request-Id: ")
        buffer.writeString(framing.id)
        if framing.isLast { buffer.writeStaticString("\r\nConnection: close") }
        buffer.writeStaticString("\r\n\r\n")
        guard !framing.isHead else { return }
        switch response.body {
        case .none, .stream: break
        case .bytes(let bytes): buffer.writeBytes(bytes)
        case .shared(let bytes): buffer.writeImmutableBuffer(bytes)
        }
    }

    private func writeStart(of response: EndpointResponse, framing: Framing, to buffer: inout ByteBuffer) {
        if response.status.code == 200 {
            buffer.writeBytes(Self.plainStart)
            return
        }
        let status = HTTPResponseStatus(statusCode: response.status.code, reasonPhrase: response.status.reasonPhrase)
        buffer.writeStaticString(framing.isOldVersion && response.contentLength == nil ? "HTTP/1.0 " : "HTTP/1.1 ")
        buffer.writeString(String(status.code))
        buffer.writeStaticString(" ")
        buffer.writeString(status.reasonPhrase)
        buffer.writeStaticString("\r\n")
    }

    private func writeContent(ofType type: String, length: Int, to buffer: inout ByteBuffer) {
        if type.utf8.count == MediaType.json.rawValue.utf8.count {
            buffer.writeBytes(Self.plainType)
        } else if !type.isEmpty {
            writeLine("Content-Type", value: type, to: &buffer)
        }
        buffer.writeBytes(Self.lengthName)
        buffer.writeString(String(length))
        buffer.writeStaticString("\r\n")
    }

    private func writeLine(_ name: String, value: String, to buffer: inout ByteBuffer) {
        buffer.writeString(name)
        buffer.writeStaticString(": ")
        buffer.writeString(value)
        buffer.writeStaticString("\r\n")
    }
}
