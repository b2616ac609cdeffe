import DeepLinkCore

/// A form-decoded query of the API, with each name at most once and without unknown names.
package struct FormQuery: Sendable {
    /// A query without parameters.
    package static let empty = FormQuery()

    /// A parameter of the query.
    private struct Value {
        /// The position of the parameter's name in the list of known names.
        let place: Int

        /// The range of the value in the decoded bytes.
        let range: Range<Int>
    }

    private let names: [String]

    /// The decoded bytes of all values, in one array because an allocation for each would cost more than decoding.
    private var bytes: [UInt8] = []

    /// The parameters of the query, usually two or three.
    private var values: [Value] = []

    /// A bit set of the positions of the names that have a value.
    ///
    /// Most lookups find nothing.
    private var placesWithValue: UInt64 = 0

    /// A bit set of the positions of the names whose values have a raw plus.
    ///
    /// It is read as a space here.
    private var placesWithPlus: UInt64 = 0

    private init() {
        names = []
    }

    /// Reads the query of a request target, beginning at an offset.
    ///
    /// At most 64 names are supported.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, naming the field.
    /// - Complexity: linear in the query, and in the number of names for each of its pairs.
    package init(_ target: String, from start: Int = 0, names: [String]) throws(Problem) {
        self.names = names
        let count = target.utf8.count - start
        guard count > 0 else { return }
        values.reserveCapacity(2)
        #if canImport(Darwin)  // `utf8Span` is of iOS 26.
        let copy = Array(target.utf8)
        let query = copy.span.extracting(last: count)
        #else
        let query = target.utf8Span.span.extracting(last: count)
        #endif
        var fault: Problem?
        bytes = [UInt8](unsafeUninitializedCapacity: count + FormURLDecoding.slack) { place, decodedCount in
            do throws(Problem) {
                try read(query, into: place, count: &decodedCount)
            } catch {
                fault = error
            }
        }
        if let fault { throw fault }
    }

    /// Reads all pairs, and writes the decoded values one after another.
    private mutating func read(
        _ query: Span<UInt8>,
        into memory: UnsafeMutableBufferPointer<UInt8>,
        count: inout Int
    ) throws(Problem) {
        let (equals, ampersand) = (UInt8(ascii: "="), UInt8(ascii: "&"))
        var start = 0
        while start < query.count {
            var end = start
            while end < query.count, query[end] != equals, query[end] != ampersand { end &+= 1 }
            let hasValue = end < query.count && query[end] == equals
            guard hasValue || end > start else {
                start = end + 1
                continue
            }
            let place = try place(of: query.extracting(start..<end))
            var hasPlus = false
            let value = FormURLDecoding.decode(
                query,
                from: hasValue ? end + 1 : end,
                until: ampersand,
                plusIsSpace: true,
                hasPlus: &hasPlus,
                to: memory.extracting(count..<memory.count)
            )
            guard let value else {
                throw .malformed(
                    field: names[place],
                    detail: "`\(names[place])` has a `%` without two hexadecimal digits."
                )
            }
            guard placesWithValue & Self.bit(place) == 0 else {
                throw .duplicate(field: names[place], detail: "`\(names[place])` is given twice.")
            }
            values.append(Value(place: place, range: count..<count + value.count))
            placesWithValue |= Self.bit(place)
            if hasPlus { placesWithPlus |= Self.bit(place) }
            count += value.count
            start = value.end + 1
        }
    }

    /// Returns the position of a name as sent, usually without escapes.
    private func place(of name: Span<UInt8>) throws(Problem) -> Int {
        if let place = place(ofDecoded: name) { return place }
        guard let decoded = FormURLDecoding.decode(name) else { throw Self.malformedName }
        if let place = place(ofDecoded: decoded.span) { return place }
        guard let name = FormURLDecoding.text(decoded) else { throw Self.malformedName }
        throw unknown(name)
    }

    private func place(ofDecoded name: Span<UInt8>) -> Int? {
        for place in names.indices
        where names[place].utf8.count == name.count && names[place].bytewise.consists(of: name) {
            return place
        }
        return nil
    }

    private static func bit(_ place: Int) -> UInt64 { 1 << UInt64(place) }

    private static var malformedName: Problem {
        .malformed(field: "query", detail: "A name of the query is not percent-encoded UTF-8.")
    }

    private func unknown(_ name: String) -> Problem {
        .unknown(
            field: name,
            detail: names.isEmpty
                ? "`\(name)` isn't a parameter here; there are none."
                : "`\(name)` isn't a parameter here; there are \(names.joined(separator: ", ")). "
                    + "If it belongs to the link, percent-encode the link: `&` is `%26`, `?` is `%3F`."
        )
    }

    // MARK: By position

    /// Returns the decoded bytes of the parameter at a position among the names, or `nil` if it is absent.
    package func bytes(at place: Int) -> ArraySlice<UInt8>? {
        guard placesWithValue & Self.bit(place) != 0 else { return nil }
        for index in values.indices where values[index].place == place { return bytes[values[index].range] }
        return nil
    }

    /// Returns whether the value at a position has a raw plus, read as a space.
    package func hasPlus(at place: Int) -> Bool { placesWithPlus & Self.bit(place) != 0 }

    /// Returns the decoded text of the parameter at a position, or `nil` if it is absent.
    ///
    /// - Throws: ``Problem`` if the bytes are not UTF-8.
    package func text(at place: Int) throws(Problem) -> String? {
        guard let bytes = bytes(at: place) else { return nil }
        guard let text = String(utf8: bytes.span) else {
            let name = names[place]
            throw .malformed(field: name, detail: "`\(name)` is not UTF-8.")
        }
        return text
    }

    /// Returns the Boolean of the parameter at a position, or `nil` if it is absent.
    package func bool(at place: Int) throws(Problem) -> Bool? {
        guard let text = try text(at: place) else { return nil }
        switch text.bytewise {
        case "true", "1": return true
        case "false", "0": return false
        default:
            let name = names[place]
            throw .invalidValue(field: name, detail: "`\(name)` is `\(text)`; write true or false.")
        }
    }

    // MARK: By name

    private func place(of name: String) -> Int? { names.firstIndex { $0.bytewise == name.bytewise } }

    /// Returns the decoded bytes of a parameter, or `nil` if it is absent.
    package func bytes(_ name: String) -> ArraySlice<UInt8>? { place(of: name).flatMap { bytes(at: $0) } }

    /// Returns the decoded text of a parameter, or `nil` if it is absent.
    ///
    /// - Throws: ``Problem`` if the bytes are not UTF-8.
    package func text(_ name: String) throws(Problem) -> String? {
        if let place = place(of: name) { try text(at: place) } else { nil }
    }

    /// Returns the Boolean of a parameter, or `nil` if it is absent.
    package func bool(_ name: String) throws(Problem) -> Bool? {
        if let place = place(of: name) { try bool(at: place) } else { nil }
    }
}

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
