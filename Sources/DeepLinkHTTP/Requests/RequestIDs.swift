import DeepLinkFormats

/// The ids of the requests of one connection: those that its client sends, otherwise new ones.
struct RequestIDs {
    /// The maximum length of a client's id, in bytes.
    private static let maximumByteCount = 128

    private let connection = UInt64.random(in: 0 ... .max)
    private var count: UInt64 = 0

    /// Returns the id that a client gives, 1 to 128 visible characters of ASCII (RFC 5234 §B.1, VCHAR); for any other,
    /// or several, a new one of 15 hexadecimal digits, which Swift stores without an allocation.
    mutating func id(_ given: FieldValues) -> String {
        if case .one(let text) = given, (1...Self.maximumByteCount).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        {
            return text
        }
        count += 1
        // Multiplying by an odd number keeps the ids of a connection distinct.
        return Self.hexadecimal(connection &+ count &* 0x9E37_79B9_7F4A_7C15)
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        String(unsafeUninitializedCapacity: 15) { digits in
            for place in 0..<15 {
                let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - place * 4) & 0xF)
                digits[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
            }
            return 15
        }
    }
}
