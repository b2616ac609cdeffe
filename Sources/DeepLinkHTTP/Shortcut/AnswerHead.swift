import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Is the head of an answer in bytes: what the plain way sends for a response, but for the values of `Content-Length`
/// and `Date`, which differ each time.
struct AnswerHead {
    /// What precedes the length.
    private let start: [UInt8]

    /// What stands between length and date.
    private let middle: [UInt8]

    /// Takes status and fields from a response, whose body does not matter.
    init(_ response: Response) {
        var response = response
        ResponseFields.complete(&response.headers)
        // Status and names are spelled as the codec spells them.
        let head = HTTPResponseHead(response.head)
        var start = "HTTP/1.1 \(head.status.code) \(head.status.reasonPhrase)\r\n"
        var middle = "\r\n"
        var hasLength = false
        for (name, value) in head.headers {
            if name.lowercased() == "content-length" {
                start += "\(name): "
                hasLength = true
            } else if hasLength {
                middle += "\(name): \(value)\r\n"
            } else {
                start += "\(name): \(value)\r\n"
            }
        }
        self.start = Array(start.utf8)
        // The application adds the date last.
        self.middle = Array((middle + "Date: ").utf8)
    }

    /// Writes a whole answer.
    func write(_ body: [UInt8], date: [UInt8], to buffer: inout ByteBuffer) {
        buffer.reserveCapacity(minimumWritableBytes: start.count + middle.count + date.count + body.count + 24)
        buffer.writeBytes(start)
        buffer.writeString(String(body.count))
        buffer.writeBytes(middle)
        buffer.writeBytes(date)
        buffer.writeStaticString("\r\n\r\n")
        buffer.writeBytes(body)
    }
}
