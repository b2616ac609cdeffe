/// A writer of JSON (RFC 8259) in the order it is told to, straight into bytes.
///
/// What the service answers has a fixed order of keys, which `JSONEncoder` does not keep, and resolving writes one
/// answer per request, so nothing here reflects, boxes or copies. It is up to the caller that values follow keys.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object { writer in
///     writer.key("route")
///     writer.string("settings")
/// }
/// String(decoding: writer.bytes, as: UTF8.self)  // {"route":"settings"}
/// ```
public struct JSONWriter {
    /// What is written so far, in UTF-8.
    public private(set) var bytes: [UInt8] = []

    private var needsComma = false

    /// Creates an empty writer with room for so many bytes; it grows beyond them.
    ///
    /// Most answers have fewer than those of the default, which the C library's allocator still keeps at hand for each
    /// thread; from 1,032 on it takes longer.
    public init(reservingCapacity capacity: Int = 960) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes an object whose members `body` adds.
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        nest(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    /// Writes an array with one element for each item.
    public mutating func array<Item>(_ items: [Item], _ element: (inout JSONWriter, Item) -> Void) {
        nest(UInt8(ascii: "["), UInt8(ascii: "]")) { writer in
            for item in items { element(&writer, item) }
        }
    }

    /// Writes a member's name; its value must follow.
    public mutating func key(_ name: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        escaped(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string.
    public mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        escaped(text)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a string, or `null`.
    public mutating func string(_ text: String?) {
        if let text { string(text) } else { literal("null") }
    }

    /// Writes a whole number.
    public mutating func number(_ number: Int) {
        guard number >= 0 else { return literal(String(number)) }
        separate()
        // Digits are found from the last one on: nineteen at most.
        var digits = SIMD32<UInt8>()
        var start = digits.scalarCount
        var rest = number
        repeat {
            start -= 1
            digits[start] = ASCII.zero + UInt8(rest % 10)
            rest /= 10
        } while rest > 0
        for index in start..<digits.scalarCount { bytes.append(digits[index]) }
    }

    /// Writes a parameter's value as its JSON type.
    public mutating func value(_ value: ParameterValue) {
        switch value {
        case .string(let text): string(text)
        case .int(let number): self.number(number)
        case .double, .bool: literal(value.text)
        case .list(let items): array(items) { $0.value($1) }
        case .object(let fields): self.fields(fields)
        }
    }

    /// Writes named values as an object.
    public mutating func fields(_ fields: [BoundParameter]) {
        object { $0.members(fields) }
    }

    /// Writes named values as members of the object that is being written.
    private mutating func members(_ fields: [BoundParameter]) {
        for field in fields {
            key(field.name)
            value(field.value)
        }
    }

    // MARK: Text

    /// Writes characters of JSON as they stand; the caller sees to quotation marks, commas and brackets.
    ///
    /// Where an answer has fixed parts, this writes them in one step. A single character is appended sooner than
    /// copied.
    @inline(__always)
    mutating func raw(_ json: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
    }

    /// Writes a stretch of JSON that was prepared, as it stands.
    @inline(__always)
    mutating func raw(_ json: [UInt8], _ range: Range<Int>) {
        append(json.span, range.lowerBound, range.upperBound)
    }

    /// Writes the inside of a string.
    mutating func escaped(_ text: [UInt8]) { append(text.span) }

    /// Writes the inside of a string.
    mutating func escaped(_ text: String) { append(text.utf8.span) }

    /// Writes parameters as the members of an object, after an opening bracket.
    mutating func rawMembers(_ fields: [BoundParameter]) {
        needsComma = false
        members(fields)
    }

    /// Notes that a value was written as it stands.
    mutating func endRaw() { needsComma = true }

    /// Writes text that is JSON already.
    private mutating func literal(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func nest(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(open)
        needsComma = false
        body(&self)
        bytes.append(close)
        needsComma = true
    }

    mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// Appends the inside of a string: stretches that need no escape at once.
    private mutating func append(_ text: Span<UInt8>) {
        var start = 0
        var index = 0
        while index < text.count {
            if index + ByteWord.size <= text.count, ByteWord(text, from: index).isPlainJSON {
                index += ByteWord.size
                continue
            }
            if Self.mustEscape(text[index]) {
                append(text, start, index)
                escape(text[index])
                start = index + 1
            }
            index += 1
        }
        append(text, start, text.count)
    }

    private mutating func append(_ text: Span<UInt8>, _ start: Int, _ end: Int) {
        text.extracting(start..<end).withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    @inline(__always)
    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        guard byte < 0x20 else {
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
            return
        }
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
        let low = byte & 0xF
        bytes.append(low < 10 ? 0x30 + low : 0x57 + low)
    }
}
