import Foundation

/// One answer as it came, but for what differs each time: the date, the id of the request and that of a continuation.
struct ReceivedResponse: Equatable, CustomStringConvertible {
    private static let end = Array("\r\n\r\n".utf8)

    let head: String
    let body: [UInt8]

    var description: String { head + "\n" + String(decoding: body, as: UTF8.self) }

    /// Takes an answer off the front of received bytes; `nil` as long as it is not all there.
    init?(_ bytes: inout ArraySlice<UInt8>, isHead: Bool) {
        guard let end = bytes.firstRange(of: Self.end) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let length = lines.first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
        let count = isHead ? 0 : length
        guard bytes.endIndex - end.upperBound >= count else { return nil }
        // Hummingbird adds the date where it likes.
        let varying = ["Date: ", "X-Request-Id: "]
        head = lines.filter { line in !varying.contains { line.hasPrefix($0) } }.joined(separator: "\n")
        let id = lines.first { $0.hasPrefix("X-Request-Id: ") }.map { $0.dropFirst(14) } ?? ""
        body = Self.withoutID(Array(bytes[end.upperBound...].prefix(count)), of: id)
        bytes = bytes[(end.upperBound + count)...]
    }

    /// Writes a continuation as what it says, and leaves out the id of the request that the header says too.
    static func withoutID(_ body: [UInt8], of requestID: Substring) -> [UInt8] {
        let text = String(decoding: body, as: UTF8.self)
        if text.contains("requestId") {
            return Array(text.replacing("\"requestId\":\"\(requestID)\"", with: "\"requestId\":\"…\"").utf8)
        }
        guard text.contains("continuation") else { return body }
        guard let match = text.firstMatch(of: /"continuation":"([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)"/) else {
            return body
        }
        let base64 = match.1.replacing("-", with: "+").replacing("_", with: "/")
        let padded = base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)
        let json = Data(base64Encoded: String(padded)).map { String(decoding: $0, as: UTF8.self) } ?? "no base64"
        let shown = json.replacing(/"id":"[0-9a-f]{32}"/, with: "\"id\":\"…\"")
        return Array(text.replacing(match.0, with: "\(shown) \(match.2.count)").utf8)
    }
}
