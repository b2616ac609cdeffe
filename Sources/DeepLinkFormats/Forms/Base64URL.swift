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
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text of bytes to others: three bytes are four characters.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        let start = text.count
        text.append(contentsOf: repeatElement(0, count: (bytes.count * 4 + 2) / 3))
        alphabet.withUnsafeBufferPointer { alphabet in
            text.withUnsafeMutableBufferPointer { write(bytes.span, by: alphabet, to: $0, from: start) }
        }
    }

    private static func write(
        _ bytes: Span<UInt8>,
        by alphabet: UnsafeBufferPointer<UInt8>,
        to text: UnsafeMutableBufferPointer<UInt8>,
        from start: Int
    ) {
        var (index, place) = (0, start)
        while index &+ 2 < bytes.count {
            let word = UInt32(bytes[index]) << 16 | UInt32(bytes[index &+ 1]) << 8 | UInt32(bytes[index &+ 2])
            text[place] = alphabet[Int(word >> 18)]
            text[place &+ 1] = alphabet[Int(word >> 12 & 63)]
            text[place &+ 2] = alphabet[Int(word >> 6 & 63)]
            text[place &+ 3] = alphabet[Int(word & 63)]
            (index, place) = (index &+ 3, place &+ 4)
        }
        guard index < bytes.count else { return }
        let isLast = index + 1 == bytes.count
        let word = UInt32(bytes[index]) << 16 | (isLast ? 0 : UInt32(bytes[index + 1]) << 8)
        text[place] = alphabet[Int(word >> 18)]
        text[place + 1] = alphabet[Int(word >> 12 & 63)]
        if !isLast { text[place + 2] = alphabet[Int(word >> 6 & 63)] }
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
