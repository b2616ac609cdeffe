/// Base64url without padding (RFC 4648 §5).
///
/// Every sequence of bytes has one encoding: padding, white space and stray bits in the last character are refused.
package enum Base64URL {
    /// The characters by their value (RFC 4648 §5, table 2).
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The value of each byte as a character, or 255 if it is not in the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: .max, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Returns the encoding of bytes.
    ///
    /// Foundation's base64 has another alphabet, and replacing its characters takes ten times as long as this. A
    /// continuation is encoded for each refusal.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// The two characters of each 12-bit value, the first in the lower byte.
    private static let pairs: [UInt16] = alphabet.flatMap { first in
        alphabet.map { UInt16(first) | UInt16($0) << 8 }
    }

    /// Appends the encoding of bytes, four characters for three bytes.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        let count = (bytes.count * 4 + 2) / 3
        text.append(addingCapacity: count) { output in
            pairs.withUnsafeBufferPointer { pairs in
                output.withUnsafeMutableBufferPointer { text, initializedCount in
                    write(bytes.span, by: pairs, to: UnsafeMutableRawBufferPointer(text), from: initializedCount)
                    initializedCount += count
                }
            }
        }
    }

    private static func write(
        _ bytes: Span<UInt8>,
        by pairs: UnsafeBufferPointer<UInt16>,
        to text: UnsafeMutableRawBufferPointer,
        from start: Int
    ) {
        var (index, place) = (0, start)
        while index &+ 2 < bytes.count {
            let word = UInt32(bytes[index]) << 16 | UInt32(bytes[index &+ 1]) << 8 | UInt32(bytes[index &+ 2])
            let characters = UInt32(pairs[Int(word >> 12)]) | UInt32(pairs[Int(word & 4095)]) << 16
            text.storeBytes(of: characters.littleEndian, toByteOffset: place, as: UInt32.self)
            (index, place) = (index &+ 3, place &+ 4)
        }
        guard index < bytes.count else { return }
        let isLast = index + 1 == bytes.count
        let word = UInt32(bytes[index]) << 16 | (isLast ? 0 : UInt32(bytes[index + 1]) << 8)
        text.storeBytes(of: pairs[Int(word >> 12)].littleEndian, toByteOffset: place, as: UInt16.self)
        if !isLast { text[place + 2] = alphabet[Int(word >> 6 & 63)] }
    }

    /// Returns the bytes of a text, given as ASCII, or `nil` if it isn't the output of ``encode(_:)``.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        decode(Array(text).span)
    }

    /// Returns the bytes of a text without copying it, or `nil` if it isn't the output of ``encode(_:)``.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        var isSound = false
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count * 3 / 4) { place, count in
            values.withUnsafeBufferPointer { values in
                isSound = read(text, values: values, into: place, count: &count)
            }
        }
        return isSound ? bytes : nil
    }

    /// Decodes a text, three bytes from four characters.
    ///
    /// - Returns: whether the text is the output of ``encode(_:)``.
    private static func read(
        _ text: Span<UInt8>,
        values: UnsafeBufferPointer<UInt8>,
        into place: UnsafeMutableBufferPointer<UInt8>,
        count: inout Int
    ) -> Bool {
        var index = 0
        var (bits, bitCount): (UInt32, UInt32) = (0, 0)
        while index < text.count {
            let value = values[Int(text[index])]
            guard value != .max else { return false }
            index &+= 1
            bits = bits << 6 | UInt32(value)
            bitCount &+= 6
            if bitCount == 24 {
                place[count] = UInt8(truncatingIfNeeded: bits >> 16)
                place[count &+ 1] = UInt8(truncatingIfNeeded: bits >> 8)
                place[count &+ 2] = UInt8(truncatingIfNeeded: bits)
                count &+= 3
                (bits, bitCount) = (0, 0)
            }
        }
        while bitCount >= 8 {
            bitCount -= 8
            place[count] = UInt8(truncatingIfNeeded: bits >> bitCount)
            count += 1
        }
        // Six bits are less than a byte, and bits after the last byte must be zero (RFC 4648 §3.5).
        return bitCount < 6 && bits & (1 << bitCount - 1) == 0
    }
}
