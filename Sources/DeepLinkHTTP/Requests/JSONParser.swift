import DeepLinkCore

/// Reads JSON (RFC 8259) from hostile bytes: UTF-8 only, each key of an object once, a limited depth.
///
/// `JSONDecoder` accepts a key twice, a comma at the end and UTF-16, and its cost grows with the square of the depth
/// (<doc:0005-JSONParser>). This parser is linear in the bytes.
package struct JSONParser {
    /// How deep arrays and objects may nest.
    static let maximumDepth = 32

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads one value that takes up all bytes.
    ///
    /// - Throws: ``JSONSyntaxError``, for the first fault.
    package static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        var parser = JSONParser(bytes)
        let value = try parser.parseValue(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.error("something follows the value") }
        return value
    }

    private func error(_ message: String) -> JSONSyntaxError { JSONSyntaxError(message: message, offset: position) }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    /// Takes a byte if it comes next, after white space.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func parseValue(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard depth <= Self.maximumDepth else { throw error("it nests deeper than \(Self.maximumDepth) levels") }
        if take("{") { return try parseObject(depth: depth) }
        if take("[") { return try parseArray(depth: depth) }
        if take("\"") { return .string(try parseString()) }
        for (word, value) in [("true", JSONValue.bool(true)), ("false", .bool(false)), ("null", .null)]
        where bytes[position...].starts(with: word.utf8) {
            position += word.utf8.count
            return value
        }
        return try parseNumber()
    }

    private mutating func parseObject(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        var members: [String: JSONValue] = [:]
        if take("}") { return .object(members) }
        repeat {
            guard take("\"") else { throw error("a key is expected here") }
            let key = try parseString()
            guard take(":") else { throw error("a colon is expected here") }
            guard members.updateValue(try parseValue(depth: depth + 1), forKey: key) == nil else {
                throw error("the key `\(key)` is given twice")
            }
        } while take(",")
        guard take("}") else { throw error("a comma or a closing brace is expected here") }
        return .object(members)
    }

    private mutating func parseArray(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        var items: [JSONValue] = []
        if take("]") { return .array(items) }
        repeat { items.append(try parseValue(depth: depth + 1)) } while take(",")
        guard take("]") else { throw error("a comma or a closing bracket is expected here") }
        return .array(items)
    }

    // MARK: Strings

    /// Reads the rest of a string, after its opening quote.
    private mutating func parseString() throws(JSONSyntaxError) -> String {
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else { throw error("a string is not UTF-8") }
                position += 1
                return string
            case UInt8(ascii: "\\"):
                position += 1
                try parseEscape(into: &text)
            case 0..<0x20: throw error("a control character stands in a string")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw error("a string is not closed")
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
        case UInt8(ascii: "u"): text += Array(String(try parseScalar()).utf8)
        default: throw error("a backslash is followed by no escape")
        }
    }

    /// Reads the digits of a `\u` escape, and those of the second where two make a surrogate pair (RFC 8259 §7).
    private mutating func parseScalar() throws(JSONSyntaxError) -> Character {
        var value = try parseHex()
        if (0xD800..<0xDC00).contains(value), bytes[position...].starts(with: "\\u".utf8) {
            position += 2
            let low = try parseHex()
            guard (0xDC00..<0xE000).contains(low) else { throw error("a surrogate stands alone") }
            value = 0x1_0000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw error("a surrogate stands alone") }
        return Character(scalar)
    }

    private mutating func parseHex() throws(JSONSyntaxError) -> UInt32 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, let text = String(validating: digits, as: UTF8.self),
            text.allSatisfy(\.isHexDigit), let value = UInt32(text, radix: 16)
        else { throw error("`\\u` is followed by no four hexadecimal digits") }
        position += 4
        return value
    }

    // MARK: Numbers

    /// Reads a number; a whole one keeps all its digits, since `Double` has only 53 bits for them.
    private mutating func parseNumber() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        let isPart = { (byte: UInt8) in "+-.eE0123456789".utf8.contains(byte) }
        while position < bytes.count, isPart(bytes[position]) { position += 1 }
        let digits = bytes[start..<position]
        if let integer = DecimalText.parseInt(digits) { return .integer(integer) }
        guard let number = DecimalText.parseDouble(Array(digits)) else {
            position = start
            throw error("a value is expected here")
        }
        return .number(number)
    }
}
