/// Percent-encoding of text (RFC 3986 §2.1).
package enum PercentEncoding {
    /// Returns a text percent-encoded for a segment, name or value of a link.
    package static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes bytes that the link parser has checked.
    static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String {
        guard plusIsSpace || bytes.contains(ASCII.percent) else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: Array(DecodedBytes(bytes, plusIsSpace: plusIsSpace)), as: UTF8.self)
    }

    /// Appends a text with every byte encoded that is not `unreserved` or one of `!$'()*,;:@`.
    ///
    /// A space becomes `%20` and a plus `%2B`, since servers disagree on the meaning of a plus in a query. One set
    /// serves segments, names and values, so a value reads the same in all of them.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        // Most texts need no encoding.
        guard !text.utf8.withBytes({ isPlain($0) }) else {
            bytes += text.utf8
            return
        }
        for byte in text.utf8 {
            if ByteSet.kept.contains(byte) {
                bytes.append(byte)
            } else {
                bytes.append(ASCII.percent)
                bytes.append(hexDigit(byte >> 4))
                bytes.append(hexDigit(byte & 0xF))
            }
        }
    }

    /// Returns whether a text needs no encoding.
    @inline(__always)
    static func isPlain(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where !ByteSet.kept.contains(text[index]) { return false }
        return true
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}
