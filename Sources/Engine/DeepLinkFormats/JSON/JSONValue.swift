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

/// A request body that is a JSON object with known keys.
package struct JSONObjectBody: Sendable {
    /// A body without members, for endpoints without parameters.
    package static let empty = JSONObjectBody()

    private let members: JSONObject

    /// The maximum length, in bytes, of a body whose number of values is unlimited.
    private static let shortByteCount = 128 * 1024

    /// The maximum number of values in a longer body.
    ///
    /// No endpoint needs as many, and reading a million of them takes a tenth of a second.
    private static let maximumValueCount = 10_000

    private init() {
        members = JSONObject()
    }

    /// Reads bytes that must be a JSON object with no other keys than `keys`.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, naming the key.
    package init(_ bytes: [UInt8], keys: [String]) throws(Problem) {
        guard !bytes.isEmpty else {
            throw .missing(field: "body", detail: "The body is empty; send a JSON object.")
        }
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONParser.parse(
                bytes,
                maximumValueCount: bytes.count > Self.shortByteCount ? Self.maximumValueCount : .max
            )
        } catch {
            throw .malformed(field: "body", detail: "The body is not JSON: at byte \(error.offset), \(error.message).")
        }
        guard case .object(let members) = value else {
            throw .wrongType(field: "body", detail: "The body is \(value.typeInWords); send a JSON object.")
        }
        let isUnknown = { (name: ByteText) in
            let count = name.string.utf8.count
            return !keys.contains { $0.utf8.count == count && $0.bytewise == name }
        }
        if let unknown = members.first(where: { isUnknown($0.name) })?.name.string {
            let hint = SpellingSuggestion.closest(to: unknown, among: keys).map { "did you mean `\($0)`?" }
            throw .unknown(
                field: unknown,
                detail: "`\(unknown)` isn't a key here; \(hint ?? "there are \(keys.joined(separator: ", ")).")"
            )
        }
        self.members = members
    }

    /// Returns the string of a key, or `nil` if it is absent.
    ///
    /// - Throws: ``Problem`` if the value is of another type.
    package func string(_ key: String) throws(Problem) -> String? {
        guard let value = members[key.bytewise] else { return nil }
        guard case .string(let text) = value else {
            throw .wrongType(field: key, detail: "`\(key)` is \(value.typeInWords); send a string.")
        }
        return text
    }

    /// Returns the string of a required key.
    package func requiredString(_ key: String) throws(Problem) -> String {
        guard let text = try string(key) else {
            throw .missing(field: key, detail: "The body has no `\(key)`.")
        }
        return text
    }

    /// Returns the Boolean of a key, or `nil` if it is absent.
    package func bool(_ key: String) throws(Problem) -> Bool? {
        guard let value = members[key.bytewise] else { return nil }
        guard case .bool(let flag) = value else {
            throw .wrongType(field: key, detail: "`\(key)` is \(value.typeInWords); send true or false.")
        }
        return flag
    }

    /// Returns the strings of a key's array, or `nil` if it is absent.
    ///
    /// - Throws: ``Problem`` if the value or one of its items is of another type.
    package func strings(_ key: String) throws(Problem) -> [String]? {
        guard let value = members[key.bytewise] else { return nil }
        guard case .array(let items) = value else {
            throw .wrongType(field: key, detail: "`\(key)` is \(value.typeInWords); send an array of strings.")
        }
        var strings: [String] = []
        for item in items {
            guard case .string(let text) = item else {
                throw .wrongType(
                    field: key,
                    detail: "`\(key)` has \(item.typeInWords) in it; send an array of strings."
                )
            }
            strings.append(text)
        }
        return strings
    }

    /// The value of a key, of any type, or `nil` if it is absent.
    package subscript(key: String) -> JSONValue? { members[key.bytewise] }

    /// Returns the level that a key names, or `nil` if the key is absent.
    package func level(_ key: String, in levels: LevelLadder) throws(Problem) -> AuthorizationLevel? {
        guard let name = try string(key) else { return nil }
        guard let level = levels.level(named: name) else {
            throw .invalidValue(
                field: key,
                detail: "`\(name)` isn't an authorization level; there are \(levels.list())."
            )
        }
        return level
    }

    /// Returns the time of a key, or `nil` if it is absent.
    package func timestamp(_ key: String) throws(Problem) -> Timestamp? {
        try string(key).map { text throws(Problem) in try Self.timestamp(text, field: key) }
    }

    /// Reads a time.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, naming the field.
    package static func timestamp(_ text: String, field key: String) throws(Problem) -> Timestamp {
        guard let time = Timestamp(rfc3339: text) else {
            throw .invalidValue(
                field: key,
                detail: "`\(text)` isn't an RFC 3339 date-time, such as 2027-01-01T00:00:00Z."
            )
        }
        return time
    }
}

extension JSONObjectBody {
    /// The maximum size of a body, in bytes.
    package static let maximumByteCount = 1024 * 1024

    /// The problem for a body, or a line of a batch, that exceeds the limit.
    package static let tooLarge = Problem(
        .bodyTooLarge,
        detail: "The body is over \(maximumByteCount) bytes.",
        extensions: [.init("limit", number: maximumByteCount)]
    )
}
