package import DeepLinkCore

/// A JSON value of any type.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The JSON type in words, to follow "is".
    package var typeInWords: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The items of an array, or none for any other value.
    package var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }
}

extension JSONValue: Equatable {
    /// Returns whether two values are equal, ignoring the order of an object's keys and comparing texts by their bytes.
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.integer(let whole), .number(let number)), (.number(let number), .integer(let whole)):
            Double(whole) == number
        case (.string(let left), .string(let right)): left.bytewise == right.bytewise
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

extension JSONWriter {
    /// Writes a parsed value, with the keys of its objects in the order of their bytes.
    package mutating func json(_ value: JSONValue) {
        switch value {
        case .null: string(nil)
        case .bool(let flag): self.value(.bool(flag))
        case .integer(let number): self.number(number)
        case .number(let number): self.value(.double(number))
        case .string(let text): string(text)
        case .array(let items): array(items) { $0.json($1) }
        case .object(let object):
            self.object { writer in
                for (name, value) in object.sorted(by: { $0.name < $1.name }) {
                    writer.key(name.string)
                    writer.json(value)
                }
            }
        }
    }
}

extension JSONWriter {
    /// Writes the tried steps in order, omitting members that do not apply.
    mutating func explanation(_ steps: [ExplanationStep]) {
        array(steps) { writer, step in
            writer.object { writer in
                writer.member("outcome", step.outcome.rawValue)
                writer.members([
                    ("route", step.route), ("pattern", step.pattern), ("segment", step.segment),
                    ("parameter", step.parameter), ("expected", step.expected),
                    ("requiredLevel", step.requiredLevel),
                ])
                if let missing = step.missing { writer.member("missing", texts: missing) }
                if let offset = step.offset { writer.member("offset", offset) }
                if let length = step.length { writer.member("length", length) }
                writer.member("reason", step.reason)
            }
        }
    }
}

/// The members of a JSON object, in the order of the text, with unique names.
///
/// Names are compared by their bytes. A small object is searched linearly. An object with ``indexedCount`` or more
/// members has a hash index.
package struct JSONObject: Sendable {
    /// A name with its value.
    package typealias Member = (name: ByteText, value: JSONValue)

    /// A stored member.
    ///
    /// An array of tuples would cost several times as much.
    private struct Entry {
        let name: ByteText
        var value: JSONValue
    }

    /// The minimum number of members with an index.
    ///
    /// Fewer members are found faster by a linear search.
    private static let indexedCount = 9

    private var members: [Entry] = []

    /// A bit set of the combined lengths and first bytes of the names, because most lookups are for absent names.
    private var nameMarks: UInt64 = 0

    /// The positions of the names, if there are at least ``indexedCount``.
    private var positions: [ByteText: Int] = [:]

    /// Creates an object without members.
    package init() {}

    /// The number of members.
    package var count: Int { members.count }

    /// The names, in the order of the text.
    package var names: [ByteText] { members.map { $0.name } }

    /// The value of a name, or `nil` if the object does not have it.
    package subscript(name: ByteText) -> JSONValue? { position(of: name).map { members[$0].value } }

    /// Adds a member, unless the object has a member with this name.
    ///
    /// - Returns: whether the member was added.
    mutating func insert(_ value: JSONValue, for name: ByteText) -> Bool {
        guard position(of: name) == nil else { return false }
        members.append(Entry(name: name, value: value))
        nameMarks |= Self.mark(of: name)
        if members.count >= Self.indexedCount { index() }
        return true
    }

    /// Removes a member.
    ///
    /// - Returns: its value, or `nil` if the object does not have it.
    /// - Complexity: linear in the members.
    @discardableResult package mutating func remove(_ name: ByteText) -> JSONValue? {
        guard let position = position(of: name) else { return nil }
        let value = members.remove(at: position).value
        positions = [:]
        if members.count >= Self.indexedCount { index() }
        return value
    }

    /// Sets the value of a name, replacing an existing value.
    ///
    /// - Complexity: the cost of finding the name.
    package mutating func set(_ value: JSONValue, for name: ByteText) {
        guard let position = position(of: name) else {
            _ = insert(value, for: name)
            return
        }
        members[position].value = value
    }

    private func position(of name: ByteText) -> Int? {
        let count = name.string.utf8.count
        guard nameMarks & Self.mark(of: name) != 0 else { return nil }
        guard positions.isEmpty else { return positions[name] }
        for place in members.indices
        where members[place].name.string.utf8.count == count && members[place].name == name {
            return place
        }
        return nil
    }

    /// Returns the bit of a name's length and first byte.
    ///
    /// Several names may share a bit.
    private static func mark(of name: ByteText) -> UInt64 {
        let bytes = name.string.utf8
        return 1 << UInt64((bytes.count &* 5 &+ Int(bytes.first ?? 0)) & 63)
    }

    /// Adds the missing members to the index: the newest, or all of them.
    private mutating func index() {
        for position in positions.count..<members.count { positions[members[position].name] = position }
    }
}

extension JSONObject: Sequence {
    /// Returns an iterator over the members, in the order of the text.
    package func makeIterator() -> some IteratorProtocol<Member> {
        members.lazy.map { (name: $0.name, value: $0.value) }.makeIterator()
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object from a literal, using the first of several members with one name.
    package init(dictionaryLiteral elements: (ByteText, JSONValue)...) {
        for (name, value) in elements { _ = insert(value, for: name) }
    }
}

extension JSONObject: Equatable {
    /// Returns whether two objects have the same members, in any order (RFC 8259 §4).
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members.count == right.members.count
            && left.members.allSatisfy { right[$0.name] == $0.value }
    }
}
