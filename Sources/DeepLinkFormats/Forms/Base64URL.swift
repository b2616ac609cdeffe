/// Base64url without padding (RFC 4648 §5).
///
/// Bytes have one spelling: padding, white space and stray bits in the last character are refused.
package enum Base64URL {
    /// The characters by their value (RFC 4648 §5, table 2).
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The value of each byte as a character; 255 for the bytes of no character.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: .max, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Returns the text of bytes.
    ///
    /// Foundation's base64 has another alphabet, whose exchange takes ten times as long as this: a continuation is
    /// written for each refusal.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var (bits, bitCount): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(alphabet[Int(bits >> bitCount & 63)])
            }
        }
        if bitCount > 0 { text.append(alphabet[Int(bits << (6 - bitCount) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of a text, given as ASCII; `nil` if it isn't the output of ``encode(_:)``.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        decode(Array(text))
    }

    /// Returns the bytes of a text in one place: generic code of another module is not specialized.
    private static func decode(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var (bits, bitCount): (UInt32, UInt32) = (0, 0)
        for character in text {
            let value = values[Int(character)]
            guard value != .max else { return nil }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
        }
        // Six bits are no byte, and those behind the last byte are zero (RFC 4648 §3.5).
        guard bitCount < 6, bits & (1 << bitCount - 1) == 0 else { return nil }
        return bytes
    }
}
