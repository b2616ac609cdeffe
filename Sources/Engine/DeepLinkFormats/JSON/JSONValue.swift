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
