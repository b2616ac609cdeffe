/// Percent-encoding of text (RFC 3986 §2.1).
package enum PercentEncoding {
    /// Returns a text percent-encoded for a segment, name or value of a link.
    package static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a literal of the catalog as the path of a link has it.
    package static func encode(literal text: String) -> String {
        var bytes: [UInt8] = []
        append(text, keeping: .literal, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns values percent-encoded for one query pair, with a separator between them that is encoded within them.
    package static func encode(_ values: [String], separator: UInt8) -> String {
        var bytes: [UInt8] = []
        for (index, value) in values.enumerated() {
            if index > 0 { append(String(decoding: [separator], as: UTF8.self), to: &bytes) }
            for byte in value.utf8 {
                if byte != separator, ByteSet.kept.contains(byte) {
                    bytes.append(byte)
                } else {
                    append(escaping: byte, to: &bytes)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes bytes that the link parser has checked.
    static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String {
        guard plusIsSpace || bytes.contains(ASCII.percent) else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: Array(DecodedBytes(bytes, plusIsSpace: plusIsSpace)), as: UTF8.self)
    }

    /// Appends a text, encoding every byte that is not to be kept.
    ///
    /// Kept are `unreserved` and `!$'()*,;:@` for values.
    ///
    /// A space becomes `%20` and a plus `%2B`, since servers disagree on the meaning of a plus in a query. One set
    /// serves segments, names and values, so a value reads the same in all of them.
    static func append(_ text: String, keeping kept: ByteSet = .kept, to bytes: inout [UInt8]) {
        // Most texts need no encoding.
        guard !text.utf8.withBytes({ isPlain($0, keeping: kept) }) else {
            bytes += text.utf8
            return
        }
        for byte in text.utf8 {
            if kept.contains(byte) { bytes.append(byte) } else { append(escaping: byte, to: &bytes) }
        }
    }

    /// Appends a byte percent-encoded.
    static func append(escaping byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(ASCII.percent)
        bytes.append(hexDigit(byte >> 4))
        bytes.append(hexDigit(byte & 0xF))
    }

    /// Returns whether a text needs no encoding.
    @inline(__always)
    static func isPlain(_ text: Span<UInt8>, keeping kept: ByteSet = .kept) -> Bool {
        for index in text.indices where !kept.contains(text[index]) { return false }
        return true
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}

/// A set of ASCII bytes, tested for each byte of a link: two words that stay in registers.
///
/// The words are literals, since computing them would be a call at each use. `ByteSetTests` compares them with the
/// rules that they represent.
struct ByteSet {
    /// A bit for each byte below 64, the lowest bit for NUL.
    private let low: UInt64

    /// A bit for each byte from 64 on.
    private let high: UInt64

    /// Returns whether a byte is in the set, which contains no byte outside ASCII.
    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let word = byte & 0x40 == 0 ? low : high
        return byte < 0x80 && word &>> UInt64(byte & 0x3F) & 1 != 0
    }
}

extension ByteSet {
    /// The bytes of a scheme: letters, digits, `+`, `-` and `.` (RFC 3986 §3.1).
    static let scheme = ByteSet(low: 0x03FF_6800_0000_0000, high: 0x07FF_FFFE_07FF_FFFE)

    /// The bytes of a host's label: `unreserved` without the dot, and `sub-delims` (RFC 3986 §3.2.2).
    static let hostLabel = ByteSet(low: 0x2BFF_3FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)

    /// The bytes of a segment that need no further check: printable ASCII without `%`, `\`, `/`, `?` and `#`.
    static let segment = ByteSet(low: 0x7FFF_7FD7_0000_0000, high: 0x7FFF_FFFF_EFFF_FFFF)

    /// The bytes of a query pair's name that need no further check: printable ASCII without `%`, `\`, `&`, `#` and `=`.
    static let name = ByteSet(low: 0xDFFF_FF97_0000_0000, high: 0x7FFF_FFFF_EFFF_FFFF)

    /// The bytes of a query pair's value that need no further check: the bytes of its name, and `=`.
    static let value = ByteSet(low: 0xFFFF_FF97_0000_0000, high: 0x7FFF_FFFF_EFFF_FFFF)

    /// The bytes that a printed segment, name or value keeps unescaped: `unreserved` and `!$'()*,;:@`.
    static let kept = ByteSet(low: 0x0FFF_7792_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)

    /// The bytes that a printed literal of the catalog keeps unescaped: `pchar` (RFC 3986 §3.3).
    static let literal = ByteSet(low: 0x2FFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)

    /// The bytes of a fragment that need no further check: printable ASCII without `%` and `\`.
    static let fragment = ByteSet(low: 0xFFFF_FFDF_0000_0000, high: 0x7FFF_FFFF_EFFF_FFFF)
}

/// Percent-encoded bytes, iterated as the decoded bytes, without a copy.
///
/// The bytes come from a ``DeepLink``, whose parser has checked every escape.
struct DecodedBytes: Sequence, IteratorProtocol {
    private let bytes: ArraySlice<UInt8>
    private let plusIsSpace: Bool
    private var index: Int

    /// Iterates over the bytes of a path or, with `plusIsSpace`, of a query in which a plus means a space.
    init(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) {
        self.bytes = bytes
        self.plusIsSpace = plusIsSpace
        index = bytes.startIndex
    }

    @inline(__always)
    mutating func next() -> UInt8? {
        guard index < bytes.endIndex else { return nil }
        let byte = bytes[index]
        guard byte == ASCII.percent, index + 2 < bytes.endIndex, let high = ASCII.hexValue(bytes[index + 1]),
            let low = ASCII.hexValue(bytes[index + 2])
        else {
            index += 1
            return plusIsSpace && byte == ASCII.plus ? ASCII.space : byte
        }
        index += 3
        return high << 4 | low
    }
}
