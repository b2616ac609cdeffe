import DeepLinkCore

/// The decoder of percent-encoded text outside of links: the query and path of the API.
package enum FormURLDecoding {
    /// Decodes bytes, or returns `nil` if a percent sign is not followed by two hexadecimal digits.
    ///
    /// A plus is a space in forms, and a plus in paths. `plusIsSpace` selects which.
    package static func decode(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = true) -> [UInt8]? {
        decode(Array(bytes).span, plusIsSpace: plusIsSpace)
    }

    /// Decodes bytes without copying them first.
    package static func decode(_ bytes: Span<UInt8>, plusIsSpace: Bool = true) -> [UInt8]? {
        var hasPlus = false
        return decode(bytes, plusIsSpace: plusIsSpace, hasPlus: &hasPlus)
    }

    /// Decodes bytes, and sets `hasPlus` if a plus was read as a space.
    static func decode(_ bytes: Span<UInt8>, plusIsSpace: Bool = true, hasPlus: inout Bool) -> [UInt8]? {
        var isSound = true
        // Decoding never lengthens a text.
        let decoded = [UInt8](unsafeUninitializedCapacity: bytes.count + slack) { place, count in
            let found = decode(bytes, from: 0, until: nil, plusIsSpace: plusIsSpace, hasPlus: &hasPlus, to: place)
            isSound = found != nil
            count = found?.count ?? 0
        }
        return isSound ? decoded : nil
    }

    /// The number of bytes after the decoded bytes that decoding may overwrite.
    static let slack = 8

    /// Decodes bytes from an index up to a given byte, or to the end.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - start: the index of the first byte.
    ///   - end: the byte at which decoding ends, or `nil` for the end of the bytes.
    ///   - plusIsSpace: whether a plus is read as a space.
    ///   - hasPlus: set to `true` if a plus was read as a space.
    ///   - place: the memory for the decoded bytes, with ``slack``.
    /// - Returns: the index of the end and the number of decoded bytes, or `nil` if a percent sign without two digits
    ///   precedes the end.
    static func decode(
        _ bytes: Span<UInt8>,
        from start: Int,
        until end: UInt8?,
        plusIsSpace: Bool,
        hasPlus: inout Bool,
        to place: UnsafeMutableBufferPointer<UInt8>
    ) -> (end: Int, count: Int)? {
        // If `+` is literal, or there is no end to stop at, search for `%` twice.
        let (percent, plus) = (UInt8(ascii: "%"), plusIsSpace ? UInt8(ascii: "+") : UInt8(ascii: "%"))
        let last = end ?? percent
        var (index, count) = (start, 0)
        while index < bytes.count {
            if index &+ slack <= bytes.count, count &+ slack <= place.count {
                let word = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
                let special = marks(of: percent, in: word) | marks(of: plus, in: word) | marks(of: last, in: word)
                let plain = special.trailingZeroBitCount / 8
                UnsafeMutableRawBufferPointer(place).storeBytes(of: word, toByteOffset: count, as: UInt64.self)
                (index, count) = (index &+ plain, count &+ plain)
                if plain == slack { continue }
            }
            var byte = bytes[index]
            if byte == end { break }
            index &+= 1
            if byte == percent {
                guard index &+ 1 < bytes.count, let high = hexValue(bytes[index]), let low = hexValue(bytes[index &+ 1])
                else { return nil }
                byte = high << 4 | low
                index &+= 2
            } else if byte == UInt8(ascii: "+"), plusIsSpace {
                hasPlus = true
                byte = UInt8(ascii: " ")
            }
            place[count] = byte
            count &+= 1
        }
        return (index, count)
    }

    /// Marks the highest bit of the first byte, in memory, that has a value (Warren, *Hacker's Delight*, 2nd edition,
    /// §6-1).
    ///
    /// Later bytes may be marked as well.
    @inline(__always)
    private static func marks(of byte: UInt8, in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let difference = UInt64(littleEndian: word) ^ (ones &* UInt64(byte))
        return (difference &- ones) & ~difference & (ones << 7)
    }

    /// Returns the value of a hexadecimal digit, or `nil` for any other byte.
    ///
    /// The engine's function would be a call for each digit.
    @inline(__always)
    private static func hexValue(_ byte: UInt8) -> UInt8? {
        let digit = byte &- UInt8(ascii: "0")
        if digit < 10 { return digit }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter &+ 10 : nil
    }

    /// Returns bytes as text, or `nil` if they are not UTF-8.
    package static func text(_ bytes: [UInt8]) -> String? { String(utf8: bytes.span) }
}
