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
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "+") where plusIsSpace:
                hasPlus = true
                decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard index + 1 < bytes.count, let high = ASCII.hexValue(bytes[index]),
                    let low = ASCII.hexValue(bytes[index + 1])
                else { return nil }
                decoded.append(high << 4 | low)
                index += 2
            default: decoded.append(byte)
            }
        }
        return decoded
    }

    /// Reads bytes as UTF-8; `nil` if they are not.
    package static func text(_ bytes: [UInt8]) -> String? {
        #if canImport(Darwin)  // `UTF8Span` is of iOS 26.
        return String(validating: bytes, as: UTF8.self)
        #else
        guard let text = try? UTF8Span(validating: bytes.span) else { return nil }
        return String(copying: text)
        #endif
    }
}
