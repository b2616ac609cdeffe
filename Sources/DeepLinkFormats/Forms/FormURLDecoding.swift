import DeepLinkCore

/// The decoding of percent-encoded text outside of links: the API's own query and path.
package enum FormURLDecoding {
    /// Decodes bytes; `nil` if a percent sign is not followed by two hexadecimal digits.
    ///
    /// A plus is a space in forms, and a plus in paths; `plusIsSpace` selects which.
    package static func decode(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = true) -> [UInt8]? {
        decode(Array(bytes).span, plusIsSpace: plusIsSpace)
    }

    /// Decodes bytes in place.
    package static func decode(_ bytes: Span<UInt8>, plusIsSpace: Bool = true) -> [UInt8]? {
        var hasPlus = false
        return decode(bytes, plusIsSpace: plusIsSpace, hasPlus: &hasPlus)
    }

    /// Decodes bytes in place; sets `hasPlus` if a plus was read as a space.
    static func decode(_ bytes: Span<UInt8>, plusIsSpace: Bool = true, hasPlus: inout Bool) -> [UInt8]? {
        // Decoding never lengthens a text, so it takes place in a copy.
        var decoded = bytes.withUnsafeBufferPointer { Array($0) }
        let count = decoded.withUnsafeMutableBufferPointer { place in
            decode(place, plusIsSpace: plusIsSpace, hasPlus: &hasPlus)
        }
        guard let count else { return nil }
        decoded.removeLast(decoded.count - count)
        return decoded
    }

    /// Decodes bytes where they are, and returns the number of decoded ones; `nil` for a percent sign without digits.
    @inline(__always)
    private static func decode(
        _ bytes: UnsafeMutableBufferPointer<UInt8>,
        plusIsSpace: Bool,
        hasPlus: inout Bool
    ) -> Int? {
        var count = 0
        var index = 0
        while index < bytes.count {
            var byte = bytes[index]
            index &+= 1
            if byte == UInt8(ascii: "%") {
                guard index &+ 1 < bytes.count, let high = ASCII.hexValue(bytes[index]),
                    let low = ASCII.hexValue(bytes[index &+ 1])
                else { return nil }
                byte = high << 4 | low
                index &+= 2
            } else if byte == UInt8(ascii: "+"), plusIsSpace {
                hasPlus = true
                byte = UInt8(ascii: " ")
            }
            bytes[count] = byte
            count &+= 1
        }
        return count
    }

    /// Reads bytes as UTF-8; `nil` if they are not.
    package static func text(_ bytes: [UInt8]) -> String? { String(utf8: bytes.span) }
}
