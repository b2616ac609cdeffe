import DeepLinkCore
import DeepLinkFormats
import WaymarkTestSupport

/// A maker of JSON values out of others: a text becomes another one, a member or an item goes, moves or comes twice.
struct JSONMutator {
    private static let numbers: [Int64] = [0, 1, -1, 2, 33, 65_536, 4_294_967_296, .max, .min]

    private static let odd: [JSONValue] = [
        .null, .bool(true), .integer(-1), .number(1.5e300), .string(""), .string("\u{0}é\u{202E}"), .array([]),
        .object([:]),
    ]

    private var generator: SeededGenerator

    /// The texts that take the place of others, by the name of the member that has them.
    private var texts: [ByteText: [String]] = [:]

    private var allTexts: [String] = []

    /// Begins at a seed, with the texts of some values.
    init(seed: UInt64, texts values: [JSONValue]) {
        generator = SeededGenerator(seed: seed)
        for value in values { collect(value, of: "") }
        allTexts = texts.values.flatMap { $0 }.sorted { $0.bytewise < $1.bytewise }
    }

    private mutating func collect(_ value: JSONValue, of name: ByteText) {
        switch value {
        case .string(let text): texts[name, default: []].append(text)
        case .array(let items): for item in items { collect(item, of: name) }
        case .object(let members): for (name, value) in members { collect(value, of: name) }
        default: break
        }
    }

    /// Changes a value in some places.
    mutating func mutated(_ value: JSONValue, times: Int) -> JSONValue {
        (0..<times).reduce(value) { value, _ in changed(value, of: "") }
    }

    private mutating func changed(_ value: JSONValue, of name: ByteText) -> JSONValue {
        switch value {
        case .array(var items) where !items.isEmpty && !generator.oneIn(5):
            let place = Int.random(in: items.indices, using: &generator)
            items[place] = changed(items[place], of: name)
            return .array(items)
        case .object(var members) where members.count > 0 && !generator.oneIn(9):
            let name = generator.pick(members.names)
            members.set(changed(members[name] ?? .null, of: name), for: name)
            return .object(members)
        default: return replacement(of: value, of: name)
        }
    }

    private mutating func replacement(of value: JSONValue, of name: ByteText) -> JSONValue {
        // The whole value stays an object or an array, which is refused at once otherwise.
        if name != "", generator.oneIn(12) { return generator.pick(Self.odd) }
        switch value {
        case .null, .string: return .string(text(of: name))
        case .bool(let flag): return .bool(!flag)
        case .integer(let number): return .integer(generator.pick(Self.numbers + [number &+ 1, number &- 1]))
        case .number(let number): return .number(generator.pick([0.5, -number, number * 2]))
        case .array(let items): return .array(other(items))
        case .object(let members): return .object(other(members))
        }
    }

    /// Returns a text that a member has somewhere, and now and then one of another member.
    private mutating func text(of name: ByteText) -> String {
        let own = texts[name] ?? []
        return own.isEmpty || generator.oneIn(8) ? generator.pick(allTexts) : generator.pick(own)
    }

    private mutating func other(_ items: [JSONValue]) -> [JSONValue] {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return Array(items.dropFirst())
        case 1: return Array(items.dropLast())
        case 2: return items + items.suffix(1)
        default: return items.reversed()
        }
    }

    private mutating func other(_ members: JSONObject) -> JSONObject {
        var members = members
        guard members.count > 0, !generator.oneIn(4) else {
            members.set(generator.pick(Self.odd), for: generator.pick(allTexts).bytewise)
            return members
        }
        let name = generator.pick(members.names)
        let value = members.remove(name)
        if generator.oneIn(2) { members.set(value ?? .null, for: generator.pick(allTexts).bytewise) }
        return members
    }
}

extension JSONValue {
    /// The value as JSON.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.json(self)
        return writer.bytes
    }

    /// The members of an object, and none of another value.
    var members: JSONObject {
        if case .object(let members) = self { members } else { [:] }
    }

    /// The items of an array, and none of another value.
    var items: [JSONValue] {
        if case .array(let items) = self { items } else { [] }
    }

    /// The text of a string, or `nil`.
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// Returns the value of a member, and null without one.
    subscript(name: ByteText) -> JSONValue { members[name] ?? .null }
}
