/// Decodes percent-encoded text outside of links: the API's own query and path.
enum FormText {
    /// Decodes bytes; `nil` where a percent sign is not followed by two hexadecimal digits.
    ///
    /// A plus stands for a space in forms, and for itself in paths; `plusIsSpace` says which it is.
    static func decode(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = true) -> [UInt8]? {
        var decoded: [UInt8] = []
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "+") where plusIsSpace: decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(hexValue), let low = iterator.next().flatMap(hexValue) else {
                    return nil
                }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        return decoded
    }

    /// Reads bytes as UTF-8; `nil` where they are not.
    static func text(_ bytes: [UInt8]) -> String? { String(validating: bytes, as: UTF8.self) }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
