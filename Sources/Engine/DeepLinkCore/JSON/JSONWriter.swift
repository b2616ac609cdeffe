/// A writer of JSON (RFC 8259) in the order of the calls, directly into bytes.
///
/// The service's responses have a fixed order of keys, which `JSONEncoder` does not keep. Resolving writes one response
/// per request, so the writer uses no reflection, boxes or copies. The caller must write a value after each key.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object { writer in
///     writer.member("route", "settings")
/// }
/// String(decoding: writer.bytes, as: UTF8.self)  // {"route":"settings"}
/// ```
package struct JSONWriter {
    /// The bytes written so far, in UTF-8.
    package private(set) var bytes: [UInt8] = []

    private var needsComma = false

    /// Creates an empty writer with the given capacity, beyond which it grows.
    ///
    /// Most responses fit the default capacity, a size that the C library's allocator still caches for each thread.
    /// From 1,032 bytes on, allocating is slower.
    package init(reservingCapacity capacity: Int = 960) {
        bytes.reserveCapacity(capacity)
    }

    /// Creates a writer of the rest of an object, after ``openObject(upToValueOf:_:)``.
    ///
    /// - Parameters:
    ///   - json: The object so far.
    ///   - capacity: The capacity for the rest, beyond which it grows.
    package init(continuing json: [UInt8], reservingCapacity capacity: Int) {
        bytes.reserveCapacity(json.count + capacity)
        bytes += json
    }

    /// Writes an object whose members `body` adds, up to the value of another member.
    ///
    /// A writer that continues the object writes the value, and ends the object.
    package mutating func openObject(upToValueOf key: String, _ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        body(&self)
        self.key(key)
    }

    /// Ends an object that ``openObject(upToValueOf:_:)`` began.
    package mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Writes an object whose members `body` adds.
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        nest(UInt8(ascii: "{"), close: UInt8(ascii: "}"), body: body)
    }

    /// Writes members that a writer has written without an object.
    package mutating func members(_ json: [UInt8]) {
        separate()
        bytes += json
    }

    /// Writes an array with one element for each item.
    @inlinable
    package mutating func array<Item>(_ items: [Item], element: (inout JSONWriter, Item) -> Void) {
        nest(UInt8(ascii: "["), close: UInt8(ascii: "]")) { writer in
            for item in items { element(&writer, item) }
        }
    }

    /// Writes a member's name, which a value must follow.
    package mutating func key(_ name: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        escaped(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string.
    package mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        escaped(text)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a string, or `null`.
    package mutating func string(_ text: String?) {
        if let text { string(text) } else { literal("null") }
    }

    /// Writes a string that `body` appends, of characters that need no escape.
    package mutating func plainString(_ body: (inout [UInt8]) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        body(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a whole number.
    @inline(__always)
    package mutating func number(_ number: Int) { self.number(Int64(number)) }

    /// Writes a whole number.
    package mutating func number(_ number: Int64) {
        guard number >= 0 else { return literal(String(number)) }
        separate()
        // Digits are computed from the last one on. There are at most nineteen.
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
    package mutating func value(_ value: ParameterValue) {
        switch value {
        case .string(let text): string(text)
        case .int(let number): self.number(number)
        case .double, .bool: literal(value.text)
        case .list(let items): array(items) { $0.value($1) }
        case .object(let fields): self.fields(fields)
        }
    }

    /// Writes named values as an object.
    package mutating func fields(_ fields: [BoundParameter]) {
        object { $0.members(fields) }
    }

    /// Writes named values as members of the current object.
    private mutating func members(_ fields: [BoundParameter]) {
        for field in fields {
            key(field.name)
            value(field.value)
        }
    }

    // MARK: Members

    /// Writes a member that is a string.
    package mutating func member(_ name: String, _ text: String) {
        key(name)
        string(text)
    }

    /// Writes a member that is a string, or nothing if there is none.
    package mutating func member(_ name: String, ifPresent text: String?) {
        if let text { member(name, text) }
    }

    /// Writes the members that have a text.
    package mutating func members(_ texts: [(name: String, text: String?)]) {
        for (name, text) in texts { member(name, ifPresent: text) }
    }

    /// Writes a member that is a whole number.
    package mutating func member(_ name: String, _ number: Int) {
        key(name)
        self.number(number)
    }

    /// Writes a member that is a Boolean.
    package mutating func member(_ name: String, _ flag: Bool) {
        key(name)
        literal(flag ? "true" : "false")
    }

    /// Writes a member that is a parameter's value, as its JSON type.
    package mutating func member(_ name: String, _ value: ParameterValue) {
        key(name)
        self.value(value)
    }

    /// Writes a member that is an array of strings.
    package mutating func member(_ name: String, texts: [String]) {
        member(name, array: texts) { $0.string($1) }
    }

    /// Writes a member that is an array with one element for each item.
    @inlinable
    package mutating func member<Item>(_ name: String, array items: [Item], element: (inout JSONWriter, Item) -> Void) {
        key(name)
        array(items, element: element)
    }

    /// Writes a member that is an object whose members `body` adds.
    package mutating func member(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    // MARK: Text

    /// Writes raw JSON.
    ///
    /// The caller is responsible for quotation marks, commas and brackets.
    ///
    /// This writes the fixed parts of a response in one step. Appending a single character is faster than copying it.
    @inline(__always)
    mutating func raw(_ json: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
    }

    /// Writes a prepared range of JSON unchanged.
    @inline(__always)
    mutating func raw(_ json: [UInt8], range: Range<Int>) {
        append(json.span, start: range.lowerBound, end: range.upperBound)
    }

    /// Writes the content of a string, escaped.
    mutating func escaped(_ text: [UInt8]) { append(text.span) }

    /// Writes the content of a string, escaped.
    mutating func escaped(_ text: String) { text.utf8.withBytes { append($0) } }

    /// Writes parameters as the members of an object, after an opening bracket.
    mutating func rawMembers(_ fields: [BoundParameter]) {
        needsComma = false
        members(fields)
    }

    /// Records that a value was written raw.
    mutating func endRaw() { needsComma = true }

    /// Writes text that is already JSON.
    private mutating func literal(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    @usableFromInline
    mutating func nest(_ open: UInt8, close: UInt8, body: (inout JSONWriter) -> Void) {
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

    /// Appends the content of a string, runs without escapes in one step.
    private mutating func append(_ text: Span<UInt8>) {
        var start = 0
        var index = 0
        while index < text.count {
            if index + ByteWord.size <= text.count, ByteWord(text, from: index).isPlainJSON {
                index += ByteWord.size
                continue
            }
            if Self.mustEscape(text[index]) {
                append(text, start: start, end: index)
                escape(text[index])
                start = index + 1
            }
            index += 1
        }
        append(text, start: start, end: text.count)
    }

    private mutating func append(_ text: Span<UInt8>, start: Int, end: Int) {
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

/// A response body with a fixed set and order of keys.
package protocol WireBody {
    /// Writes the body as one JSON value.
    func write(to writer: inout JSONWriter)
}

extension WireBody {
    /// The body's JSON in UTF-8.
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}
