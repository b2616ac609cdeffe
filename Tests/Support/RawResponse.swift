/// One HTTP response, taken apart as little as possible.
package struct RawResponse: Sendable {
    /// The status line and the header fields, without the empty line.
    package let head: [String]

    /// The body's bytes.
    package let body: [UInt8]

    /// Takes a response out of received bytes; `nil` as long as they are not all there.
    init?(_ bytes: [UInt8], isHead: Bool) {
        let separator = Array("\r\n\r\n".utf8)
        guard
            let end = bytes.indices.first(where: { bytes[$0...].starts(with: separator) })
        else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n").map(String.init(_:))
        head = lines
        let fields = lines.dropFirst().map { $0.lowercased() }
        let length = fields.first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) }
        let rest = bytes[(end + separator.count)...]
        if !isHead, fields.contains(where: { $0.hasPrefix("transfer-encoding:") && $0.hasSuffix("chunked") }) {
            guard let decoded = Self.dechunked(rest) else { return nil }
            body = decoded
            return
        }
        guard isHead || rest.count >= length ?? 0 else { return nil }
        body = Array(rest)
    }

    /// Joins the chunks of a body (RFC 9112 §7.1); `nil` as long as the last one is not there.
    private static func dechunked(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var body: [UInt8] = []
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\r")) {
            guard let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16) else { return nil }
            rest = rest[end...].dropFirst(2)
            guard rest.count >= size + 2 else { return nil }
            body += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
            if size == 0 { return body }
        }
        return nil
    }

    /// The status code.
    package var status: Int { Int(head.first?.split(separator: " ").dropFirst().first ?? "") ?? 0 }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of the first header field of a name, in lower case.
    package func header(_ name: String) -> String? {
        head.dropFirst().first { $0.lowercased().hasPrefix(name + ":") }
            .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
    }
}
