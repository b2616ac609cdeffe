/// A set of ASCII bytes, tested for each byte of a link: two words that stay in registers.
///
/// The words are literals, since computing them would be a call at each use; `ByteSetTests` compares them with the
/// rules that they represent.
struct ByteSet {
    /// A bit for each byte below 64, the lowest bit for NUL.
    private let low: UInt64

    /// A bit for each byte from 64 on.
    private let high: UInt64

    /// Returns whether a byte is in the set; no byte outside ASCII is.
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

    /// The bytes of a query pair that need no further check: printable ASCII without `%`, `\`, `&` and `#`.
    static let pair = ByteSet(low: 0xFFFF_FF97_0000_0000, high: 0x7FFF_FFFF_EFFF_FFFF)

    /// The bytes that a printed segment, name or value keeps unescaped: `unreserved` and `!$'()*,;:@`.
    static let kept = ByteSet(low: 0x0FFF_7792_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)

    /// The bytes of a fragment that need no further check: printable ASCII without `%` and `\`.
    static let fragment = ByteSet(low: 0xFFFF_FFDF_0000_0000, high: 0x7FFF_FFFF_EFFF_FFFF)
}
