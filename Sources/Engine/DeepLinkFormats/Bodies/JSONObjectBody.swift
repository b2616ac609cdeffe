package import DeepLinkCore

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
