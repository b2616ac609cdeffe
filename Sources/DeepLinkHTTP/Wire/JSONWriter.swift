package import DeepLinkCore

/// Writes JSON (RFC 8259) in the order it is told to, straight into bytes.
///
/// Wire bodies have a fixed key order, which `JSONEncoder` does not keep, and resolving writes one per request,
/// so nothing here reflects, boxes or copies.
package struct JSONWriter {
    /// What is written so far.
    package private(set) var bytes: [UInt8] = []

    private var needsComma = false

    /// Creates an empty writer.
    package init() {
        bytes.reserveCapacity(1024)
    }

    /// Writes an object whose members `body` adds.
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        nest(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    /// Writes an array with one element for each item.
    package mutating func array<Item>(_ items: [Item], _ element: (inout JSONWriter, Item) -> Void) {
        nest(UInt8(ascii: "["), UInt8(ascii: "]")) { writer in
            for item in items { element(&writer, item) }
        }
    }

    /// Writes a member's name; its value must follow.
    package mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string.
    package mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20: escape(byte)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a string, or `null`.
    package mutating func string(_ text: String?) {
        if let text { string(text) } else { literal("null") }
    }

    /// Writes a whole number.
    package mutating func number(_ number: Int) {
        literal(String(number))
    }

    /// Writes a parameter's value as its JSON type.
    package mutating func value(_ value: ParameterValue) {
        switch value {
        case .string(let text): string(text)
        case .int, .double, .bool: literal(value.text)
        case .list(let items): array(items) { $0.value($1) }
        case .object(let fields): self.fields(fields)
        }
    }

    /// Writes named values as an object.
    package mutating func fields(_ fields: [BoundParameter]) {
        object { writer in
            for field in fields {
                writer.key(field.name)
                writer.value(field.value)
            }
        }
    }

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

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
        let low = byte & 0xF
        bytes.append(low < 10 ? 0x30 + low : 0x57 + low)
    }
}
