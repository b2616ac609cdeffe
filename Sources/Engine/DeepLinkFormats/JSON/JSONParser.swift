import DeepLinkCore

/// A parser of JSON (RFC 8259) from untrusted bytes.
///
/// It accepts only UTF-8, unique keys and a limited depth. `JSONDecoder` accepts duplicate keys, trailing commas and
/// UTF-16, and its cost grows with the square of the depth (decision record 5). This parser is linear in the bytes, and
/// stops at the first fault.
package struct JSONParser {
    /// The maximum nesting of arrays and objects.
    static let maximumDepth = 32

    private let bytes: [UInt8]

    /// Whether the last of several members with one name is used, as in most parsers.
    ///
    /// Otherwise duplicates are refused.
    private let takesLast: Bool

    /// The number of values that may still follow.
    private var valueCount: Int
    private let maximumValueCount: Int
    private var position = 0

    private init(_ bytes: [UInt8], takesLast: Bool, maximumValueCount: Int) {
        self.bytes = bytes
        self.takesLast = takesLast
        self.maximumValueCount = maximumValueCount
        valueCount = maximumValueCount
    }

    /// Parses one value that takes up all bytes.
    ///
    /// - Parameters:
    ///   - bytes: the text, in UTF-8.
    ///   - takesLast: whether the last of several members with one name is used. Otherwise duplicates are a fault.
    ///   - maximumValueCount: the maximum number of values, including nested ones. A short value costs more than its
    ///     bytes.
    /// - Returns: the value.
    /// - Throws: ``JSONSyntaxError``, for the first fault.
    /// - Complexity: linear in the bytes.
    package static func parse(
        _ bytes: [UInt8],
        takesLast: Bool = false,
        maximumValueCount: Int = .max
    ) throws(JSONSyntaxError) -> JSONValue {
        var parser = JSONParser(bytes, takesLast: takesLast, maximumValueCount: maximumValueCount)
        let value = try parser.parseValue(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.error("something follows the value") }
        return value
    }

    private func error(_ message: String) -> JSONSyntaxError { JSONSyntaxError(message: message, offset: position) }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    /// Skips white space, and consumes a byte if it is next.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func parseValue(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard depth <= Self.maximumDepth else { throw error("it nests deeper than \(Self.maximumDepth) levels") }
        valueCount -= 1
        guard valueCount >= 0 else { throw error("it has more than \(maximumValueCount) values") }
        skipSpace()
        guard position < bytes.count else { throw error("a value is expected here") }
        switch bytes[position] {
        case UInt8(ascii: "{"):
            position += 1
            return try parseObject(depth: depth)
        case UInt8(ascii: "["):
            position += 1
            return try parseArray(depth: depth)
        case UInt8(ascii: "\""):
            position += 1
            return .string(try parseString())
        case UInt8(ascii: "t"): return try parse("true", as: .bool(true))
        case UInt8(ascii: "f"): return try parse("false", as: .bool(false))
        case UInt8(ascii: "n"): return try parse("null", as: .null)
        default: return try parseNumber()
        }
    }

    private mutating func parse(_ word: StaticString, as value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        for offset in 0..<word.utf8CodeUnitCount {
            guard position + offset < bytes.count, bytes[position + offset] == word.utf8Start[offset] else {
                throw error("a value is expected here")
            }
        }
        position += word.utf8CodeUnitCount
        return value
    }

    private mutating func parseObject(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        var object = JSONObject()
        if take(UInt8(ascii: "}")) { return .object(object) }
        repeat {
            guard take(UInt8(ascii: "\"")) else { throw error("a key is expected here") }
            let key = ByteText(try parseString())
            guard take(UInt8(ascii: ":")) else { throw error("a colon is expected here") }
            let value = try parseValue(depth: depth + 1)
            guard !object.insert(value, for: key) else { continue }
            guard takesLast else { throw error("the key `\(key)` is given twice") }
            object.set(value, for: key)
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw error("a comma or a closing brace is expected here") }
        return .object(object)
    }

    private mutating func parseArray(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        var items: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return .array(items) }
        repeat { items.append(try parseValue(depth: depth + 1)) } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw error("a comma or a closing bracket is expected here") }
        return .array(items)
    }

    // MARK: Strings

    /// Reads the rest of a string, after its opening quote.
    private mutating func parseString() throws(JSONSyntaxError) -> String {
        let start = position
        skipPlainBytes()
        // Most strings have no escapes, and are copied as a whole.
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\\") else {
            let text = String(utf8: bytes.span.extracting(start..<position))
            return try closed(text)
        }
        var unescaped = Array(bytes[start..<position])
        while position < bytes.count, bytes[position] == UInt8(ascii: "\\") {
            position += 1
            try parseEscape(into: &unescaped)
            let next = position
            skipPlainBytes()
            // For consecutive escapes, skip appending an empty slice after each.
            if next < position { unescaped += bytes[next..<position] }
        }
        return try closed(String(utf8: unescaped.span))
    }

    /// Advances to the next quote, backslash or control character.
    private mutating func skipPlainBytes() {
        position = Self.plainEnd(of: bytes.span, from: position)
    }

    private static func plainEnd(of text: Span<UInt8>, from start: Int) -> Int {
        var place = start
        while place &+ 8 <= text.count, arePlain(text, from: place) { place &+= 8 }
        while place < text.count {
            let byte = text[place]
            guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { return place }
            place &+= 1
        }
        return place
    }

    /// Returns whether eight bytes contain no quote, backslash or control character (Warren, *Hacker's Delight*, 2nd
    /// edition, §6-1).
    @inline(__always)
    private static func arePlain(_ text: Span<UInt8>, from start: Int) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let word = text.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
        let (quotes, backslashes) = (word ^ (ones &* 0x22), word ^ (ones &* 0x5C))
        let marks = (word &- ones &* 0x20) & ~word | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
        return marks & (ones << 7) == 0
    }

    /// Ends a string at its closing quote, with `nil` in place of text that isn't UTF-8.
    private mutating func closed(_ text: String?) throws(JSONSyntaxError) -> String {
        guard position < bytes.count else { throw error("a string is not closed") }
        guard bytes[position] == UInt8(ascii: "\"") else { throw error("a control character stands in a string") }
        guard let text else { throw error("a string is not UTF-8") }
        position += 1
        return text
    }

    private mutating func parseEscape(into text: inout [UInt8]) throws(JSONSyntaxError) {
        guard position < bytes.count else { throw error("a string is not closed") }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try parseScalar()
            // A single byte is appended without a temporary collection. A text of escapes would create thousands.
            if scalar.isASCII {
                text.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        default: throw error("a backslash is followed by no escape")
        }
    }

    /// Reads the digits of a `\u` escape, and of a second one if both form a surrogate pair (RFC 8259 §7).
    private mutating func parseScalar() throws(JSONSyntaxError) -> Unicode.Scalar {
        var value = try parseHex()
        if (0xD800..<0xDC00).contains(value), position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        {
            position += 2
            let low = try parseHex()
            guard (0xDC00..<0xE000).contains(low) else { throw error("a surrogate stands alone") }
            value = 0x1_0000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw error("a surrogate stands alone") }
        return scalar
    }

    private mutating func parseHex() throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for offset in 0..<4 {
            guard position + offset < bytes.count, let digit = ASCII.hexValue(bytes[position + offset]) else {
                throw error("`\\u` is followed by no four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
        }
        position += 4
        return value
    }

    // MARK: Numbers

    /// Reads a number, keeping all digits of an integer, because `Double` has only 53 bits for them.
    private mutating func parseNumber() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        while position < bytes.count, Self.isNumberByte(bytes[position]) { position += 1 }
        let digits = bytes[start..<position]
        if let integer = DecimalText.parseInt64(digits) { return .integer(integer) }
        guard let number = DecimalText.parseDouble(Array(digits)) else {
            position = start
            throw error("a value is expected here")
        }
        return .number(number)
    }

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}

/// The reason why bytes aren't JSON, and its position.
package struct JSONSyntaxError: Error, Hashable {
    /// The description of the fault, as a sentence without its period.
    package let message: String

    /// The offset of the fault, in bytes.
    package let offset: Int
}
