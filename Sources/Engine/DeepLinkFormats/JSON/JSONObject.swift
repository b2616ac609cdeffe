package import DeepLinkCore

/// The members of a JSON object, in the order of the text, each name once.
///
/// Names are compared by their bytes. Few members are looked through; from ``indexedCount`` on they are found by hash.
package struct JSONObject: Sendable {
    /// A name with its value.
    package typealias Member = (name: ByteText, value: JSONValue)

    /// A member as it is kept: an array of tuples costs several times as much.
    private struct Entry {
        let name: ByteText
        var value: JSONValue
    }

    /// The fewest members that are indexed; fewer are found sooner by looking at each.
    private static let indexedCount = 9

    private var members: [Entry] = []

    /// The lengths and first bytes of the names so far, a bit for each of both: most names that are looked for are absent.
    private var nameMarks: UInt64 = 0

    /// The positions of the names, once there are ``indexedCount``.
    private var positions: [ByteText: Int] = [:]

    /// Creates an object without members.
    package init() {}

    /// The number of members.
    package var count: Int { members.count }

    /// The names, in the order of the text.
    package var names: [ByteText] { members.map(\.name) }

    /// The value of a name; `nil` if the object does not have it.
    package subscript(name: ByteText) -> JSONValue? { position(of: name).map { members[$0].value } }

    /// Adds a member, unless the object has one of that name.
    ///
    /// - Returns: whether it was added.
    mutating func insert(_ value: JSONValue, for name: ByteText) -> Bool {
        guard position(of: name) == nil else { return false }
        members.append(Entry(name: name, value: value))
        nameMarks |= Self.mark(of: name)
        if members.count >= Self.indexedCount { index() }
        return true
    }

    /// Removes a member.
    ///
    /// - Returns: its value; `nil` if the object does not have it.
    /// - Complexity: linear in the members.
    @discardableResult package mutating func remove(_ name: ByteText) -> JSONValue? {
        guard let position = position(of: name) else { return nil }
        let value = members.remove(at: position).value
        positions = [:]
        if members.count >= Self.indexedCount { index() }
        return value
    }

    /// Puts a value in place of the one of a name, or adds it.
    ///
    /// - Complexity: that of finding the name.
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

    /// Returns the bit of a name's length and first byte, which several names share.
    private static func mark(of name: ByteText) -> UInt64 {
        let bytes = name.string.utf8
        return 1 << UInt64((bytes.count &* 5 &+ Int(bytes.first ?? 0)) & 63)
    }

    /// Indexes the members that are not yet: the newest, or all.
    private mutating func index() {
        for position in positions.count..<members.count { positions[members[position].name] = position }
    }
}

extension JSONObject: Sequence {
    /// Begins with the first member of the text.
    package func makeIterator() -> some IteratorProtocol<Member> {
        members.lazy.map { (name: $0.name, value: $0.value) }.makeIterator()
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Takes the members of a literal; of two with one name the first.
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
