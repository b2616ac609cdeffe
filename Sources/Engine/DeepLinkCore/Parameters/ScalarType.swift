/// The type of a single value: the texts that it accepts, and the value of each.
///
/// A type without a constraint accepts every text of its kind. `min` and `max` are inclusive.
package enum ScalarType: Hashable, Sendable {
    /// Any text within the length bounds, in Unicode scalars, that matches the pattern.
    case string(min: Int64?, max: Int64?, pattern: TextPattern?)

    /// A canonical 64-bit whole number: no `+1`, `007` or `-0`.
    case int(min: Int64?, max: Int64?)

    /// A finite decimal number of the JSON grammar.
    case double(min: Double?, max: Double?)

    /// `true`, `false`, `1` or `0`, and a bare query key, which no other type accepts and which is true.
    case bool

    /// A UUID (RFC 9562 §4), lower-cased.
    case uuid

    /// A real day as `YYYY-MM-DD`, kept as written.
    case date

    /// An RFC 3339 date-time, kept as written.
    case dateTime

    /// One of a list of words, compared as bytes.
    case enumeration(EnumerationWords)

    /// Parses a decoded text, or returns `nil` if the type does not accept it.
    ///
    /// - Complexity: linear in the text. Whole numbers are parsed without allocating.
    func parse(_ text: some Sequence<UInt8>) -> ParameterValue? {
        switch self {
        case .string(let min, let max, let pattern):
            let value = String(decoding: Array(text), as: UTF8.self)
            return isWithin(Int64(value.unicodeScalars.count), min: min, max: max) && pattern?.matches(value) != false
                ? .string(value) : nil
        case .int(let min, let max):
            guard let number = DecimalText.parseInt64(text), isWithin(number, min: min, max: max) else { return nil }
            return .int(number)
        case .double(let min, let max):
            guard let number = DecimalText.parseDouble(Array(text)), isWithin(number, min: min, max: max) else {
                return nil
            }
            return .double(number)
        case .bool:
            switch String(decoding: Array(text), as: UTF8.self).bytewise {
            case "true", "1": return .bool(true)
            case "false", "0": return .bool(false)
            default: return nil
            }
        case .uuid: return Self.parseUUID(Array(text)).map { .string($0) }
        case .date:
            let bytes = Array(text)
            return CalendarDate.parse(bytes) == nil ? nil : .string(String(decoding: bytes, as: UTF8.self))
        case .dateTime:
            let bytes = Array(text)
            return CalendarDateTime.parse(bytes) == nil ? nil : .string(String(decoding: bytes, as: UTF8.self))
        case .enumeration(let words): return words.word(of: text).map { .string($0) }
        }
    }

    private func isWithin<Number: Comparable>(_ number: Number, min: Number?, max: Number?) -> Bool {
        min.map { number >= $0 } != false && max.map { number <= $0 } != false
    }

    private static func parseUUID(_ bytes: [UInt8]) -> String? {
        guard bytes.count == 36 else { return nil }
        for (index, byte) in bytes.enumerated() {
            let isDash = index == 8 || index == 13 || index == 18 || index == 23
            guard isDash ? byte == ASCII.minus : ASCII.hexValue(byte) != nil else { return nil }
        }
        return String(decoding: bytes.map(ASCII.lowercased), as: UTF8.self)
    }
}

extension ScalarType {
    /// The type that accepts every text.
    package static var anyText: ScalarType { .string(min: nil, max: nil, pattern: nil) }

    /// Returns whether a number of characters is within the length bounds, which numeric types don't have.
    func accepts(characterCount count: Int) -> Bool {
        guard case .string(let min, let max, _) = self else { return true }
        return isWithin(Int64(count), min: min, max: max)
    }

    /// The pattern that texts fit, or `nil` if there is none.
    var pattern: TextPattern? { if case .string(_, _, let pattern) = self { pattern } else { nil } }

    /// The elements of the pattern, or `nil` if there is none.
    var patternElements: [TextPattern.Element]? { pattern?.elements }

    /// The value of a query key without an equals sign: true for `bool`, `nil` for every other type.
    var bareValue: ParameterValue? {
        if case .bool = self { .bool(true) } else { nil }
    }

    /// The name of the type in catalogs.
    package var name: String {
        switch self {
        case .string: "string"
        case .int: "int"
        case .double: "double"
        case .bool: "bool"
        case .uuid: "uuid"
        case .date: "date"
        case .dateTime: "dateTime"
        case .enumeration: "enum"
        }
    }

    /// The texts that the type accepts, in words, to follow "expected".
    package var expectation: String {
        switch self {
        case .string(let min, let max, let pattern):
            [
                "text", Self.bounds("of", min: min, max: max).map { $0 + " characters" },
                pattern.map { "matching \($0.source)" },
            ]
            .compactMap { $0 }.joined(separator: " ")
        case .int(let min, let max):
            ["a whole number", Self.bounds("from", min: min, max: max)].compactMap { $0 }.joined(separator: " ")
        case .double(let min, let max):
            ["a decimal number", Self.bounds("from", min: min.map(DecimalText.print), max: max.map(DecimalText.print))]
                .compactMap { $0 }.joined(separator: " ")
        case .bool: "true, false, 1 or 0"
        case .uuid: "a UUID"
        case .date: "a date as YYYY-MM-DD"
        case .dateTime: "an RFC 3339 date-time"
        case .enumeration(let words): "one of " + words.sentence
        }
    }

    /// Returns the accepted texts in words, for an error about a rejected text.
    ///
    /// For a number that is too large, the words include the default range.
    package func expectation(insteadOf text: String) -> String {
        switch self {
        case .int(let min, let max) where Self.isWholeNumber(text.utf8) && Int64(text) == nil:
            ScalarType.int(
                min: min ?? (max == nil || text.utf8.first == ASCII.minus ? Int64.min : nil),
                max: max ?? (min == nil || text.utf8.first != ASCII.minus ? Int64.max : nil)
            )
            .expectation
        case .double(nil, nil) where Self.isDecimalText(text.utf8) && Double(text)?.isInfinite == true:
            ScalarType.double(min: -Double.greatestFiniteMagnitude, max: Double.greatestFiniteMagnitude).expectation
        default: expectation
        }
    }

    private static func isWholeNumber(_ text: String.UTF8View) -> Bool {
        let digits = text.first == ASCII.minus ? text.dropFirst() : text[...]
        return !digits.isEmpty && digits.first != ASCII.zero && digits.allSatisfy(ASCII.isDigit)
    }

    private static func isDecimalText(_ text: String.UTF8View) -> Bool {
        text.allSatisfy { ASCII.isDigit($0) || "-+.eE".utf8.contains($0) }
    }

    private static func bounds<Bound: CustomStringConvertible>(_ word: String, min: Bound?, max: Bound?) -> String? {
        switch (min, max) {
        case (let min?, let max?): "\(word) \(min) to \(max)"
        case (let min?, nil): "of at least \(min)"
        case (nil, let max?): "of at most \(max)"
        case (nil, nil): nil
        }
    }
}

extension ScalarType {
    /// Parses a text that is not percent-encoded, such as a default in a catalog, or returns `nil` if the type does not
    /// accept it.
    package func value(of text: String) -> ParameterValue? { parse(text.utf8) }
}

extension ScalarType {
    /// Converts a client's value to this type.
    ///
    /// Returns `nil` if the value is of another kind or outside the constraints.
    func adopt(_ value: ParameterValue) -> ParameterValue? {
        switch (self, value) {
        case (.int, .int), (.double, .int), (.double, .double), (.bool, .bool): parse(value.text.utf8)
        case (.string, .string), (.uuid, .string), (.date, .string), (.dateTime, .string), (.enumeration, .string):
            parse(value.text.utf8)
        default: nil
        }
    }
}

extension ScalarType {
    /// The list type for the rest of a path: the bounds count the segments.
    var asRest: ParameterType {
        switch self {
        case .string(let min, let max, let pattern):
            .list(of: .string(min: nil, max: nil, pattern: pattern), min: min, max: max)
        case .int(let min, let max): .list(of: .int(min: nil, max: nil), min: min, max: max)
        case .double(let min, let max):
            .list(
                of: .double(min: nil, max: nil),
                min: min.flatMap { Int64(exactly: $0.rounded(.up)) },
                max: max.flatMap { Int64(exactly: $0.rounded(.down)) }
            )
        case .bool, .uuid, .date, .dateTime, .enumeration: .list(of: self, min: nil, max: nil)
        }
    }
}

/// The fast-path category of a type: one of the two most frequent types, or any other.
enum PlainType {
    /// Any text.
    case text

    /// Any whole number.
    case int

    /// Any other type, which needs a full comparison.
    case other

    init(_ type: ScalarType) {
        self =
            switch type {
            case .string(nil, nil, nil): .text
            case .int(nil, nil): .int
            default: .other
            }
    }
}

/// The one text form of decimal numbers, shared by links and JSON.
package enum DecimalText {
    /// Prints a finite number as the shortest text that reads back: `1`, `0.1`, `1e21`.
    package static func print(_ number: Double) -> String {
        var text = number.description
        if text.utf8.suffix(2).elementsEqual(".0".utf8) { text.removeLast(2) }
        if let plus = text.utf8.firstIndex(of: UInt8(ascii: "+")) { text.remove(at: plus) }
        return text
    }

    /// Reads a finite decimal of the JSON grammar (RFC 8259 §6): no `+1`, `01`, `.5`, `1.`, `inf` or hexadecimal.
    package static func parseDouble(_ bytes: [UInt8]) -> Double? {
        var rest = bytes[...]
        if rest.first == ASCII.minus { rest.removeFirst() }
        guard dropDigits(&rest, canonical: true) else { return nil }
        if rest.first == ASCII.dot {
            rest.removeFirst()
            guard dropDigits(&rest, canonical: false) else { return nil }
        }
        if let byte = rest.first, byte | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            if let sign = rest.first, sign == ASCII.minus || sign == UInt8(ascii: "+") { rest.removeFirst() }
            guard dropDigits(&rest, canonical: false) else { return nil }
        }
        guard rest.isEmpty, let number = Double(String(decoding: bytes, as: UTF8.self)), number.isFinite else {
            return nil
        }
        // Minus zero equals zero, and two spellings of one value would make two links to one destination.
        return number == 0 ? 0 : number
    }

    private static func dropDigits(_ rest: inout ArraySlice<UInt8>, canonical: Bool) -> Bool {
        let digits = rest.prefix(while: ASCII.isDigit)
        guard let first = digits.first, !canonical || first != ASCII.zero || digits.count == 1 else { return false }
        rest.removeFirst(digits.count)
        return true
    }

    /// Reads a canonical whole number, without calls into the generic code of other modules.
    package static func parseInt64(_ bytes: ArraySlice<UInt8>) -> Int64? {
        bytes.withUnsafeBufferPointer { parseInt64($0) }
    }

    /// Reads a canonical whole number that counts something: one in the range of `Int`.
    @inline(__always)
    package static func parseInt(_ bytes: some Sequence<UInt8>) -> Int? {
        parseInt64(bytes).flatMap { Int(exactly: $0) }
    }

    /// Reads a canonical whole number: an optional minus, no leading zero, no `-0`, within 64 bits.
    @inline(__always)
    package static func parseInt64(_ bytes: some Sequence<UInt8>) -> Int64? {
        var magnitude: UInt64 = 0
        var isNegative = false
        var digitCount = 0
        var startsWithZero = false
        for byte in bytes {
            if byte == ASCII.minus, digitCount == 0, !isNegative {
                isNegative = true
                continue
            }
            guard ASCII.isDigit(byte), !startsWithZero else { return nil }
            startsWithZero = digitCount == 0 && byte == ASCII.zero
            let (tenfold, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.addingReportingOverflow(UInt64(byte &- ASCII.zero))
            guard !overflow, !carry else { return nil }
            magnitude = sum
            digitCount += 1
        }
        guard digitCount > 0, !(isNegative && startsWithZero) else { return nil }
        if isNegative { return magnitude == 1 << 63 ? Int64.min : Int64(exactly: magnitude).map { -$0 } }
        return Int64(exactly: magnitude)
    }
}

/// The type of a parameter's values: one text of the link, several, or named parts.
package enum ParameterType: Hashable, Sendable {
    /// One text: a path segment, or the value of a query key.
    case scalar(ScalarType)

    /// Several texts of one type, bounded in number: the rest of a path, or all occurrences of a query key.
    case list(of: ScalarType, min: Int64?, max: Int64?)

    /// Named parts, each read from the query key `<parameter>.<field>`.
    case object([Parameter])

    /// The name of the type in catalogs.
    package var name: String {
        switch self {
        case .scalar(let type): type.name
        case .list(let type, _, _): "[\(type.name)]"
        case .object: "object"
        }
    }

    /// The texts that the type accepts, in words, to follow "expected".
    package var expectation: String {
        switch self {
        case .scalar(let type): type.expectation
        case .list(let type, let min?, let max?): "\(min) to \(max) values, each \(type.expectation)"
        case .list(let type, let min?, nil): "at least \(min) values, each \(type.expectation)"
        case .list(let type, nil, let max?): "at most \(max) values, each \(type.expectation)"
        case .list(let type, nil, nil): "values, each \(type.expectation)"
        case .object(let fields): "an object of " + fields.map { $0.name }.joined(separator: ", ")
        }
    }

    /// Returns the accepted texts in words, for an error about a rejected text.
    func expectation(insteadOf text: String) -> String {
        if case .scalar(let type) = self { type.expectation(insteadOf: text) } else { expectation }
    }

    /// The type of one segment of a path, or `nil` for an object, which no segment can hold.
    var segmentType: ScalarType? {
        switch self {
        case .scalar(let type), .list(let type, _, _): type
        case .object: nil
        }
    }

    /// Returns whether a number of elements is within the bounds of a list.
    func accepts(count: Int) -> Bool {
        guard case .list(_, let min, let max) = self else { return count == 1 }
        return min.map { count >= $0 } != false && max.map { count <= $0 } != false
    }
}

extension ParameterType {
    /// Converts a client's value to this type, or returns `nil` if the type does not accept it.
    ///
    /// The result equals the value read from a link: a UUID is in lower case, absent fields of an object have their
    /// defaults, and fields are in the declared order.
    ///
    /// - Complexity: linear in the value, times the fields of an object.
    package func adopt(_ value: ParameterValue) -> ParameterValue? {
        switch (self, value) {
        case (.scalar(let type), _): return type.adopt(value)
        case (.list(let type, _, _), .list(let items)):
            let adopted = items.compactMap(type.adopt)
            return !items.isEmpty && adopted.count == items.count && accepts(count: items.count) ? .list(adopted) : nil
        case (.object(let fields), .object(let given)):
            guard let adopted = Parameter.adopt(given, for: fields, isRequired: { fields[$0].isRequired }),
                !adopted.isEmpty
            else { return nil }
            return .object(adopted)
        default: return nil
        }
    }
}
