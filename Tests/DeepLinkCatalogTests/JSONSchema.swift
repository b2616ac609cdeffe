import DeepLinkCore
import DeepLinkFormats
import Foundation

/// The part of JSON Schema (draft 2020-12) that the schema of catalogs uses.
///
/// A keyword that it does not know ends the run: a rule that nobody checks would say nothing.
struct JSONSchema {
    private let root: JSONObject

    init(_ bytes: [UInt8]) throws {
        guard case .object(let root) = try JSONParser.parse(bytes) else { throw CocoaError(.fileReadCorruptFile) }
        self.root = root
    }

    /// Returns whether a value keeps every rule.
    func accepts(_ value: JSONValue) -> Bool { accepts(value, .object(root)) }

    private func accepts(_ value: JSONValue, _ schema: JSONValue) -> Bool {
        guard case .object(let rules) = schema else { return schema == .bool(true) }
        return rules.allSatisfy { keeps($0.name.string, $0.value, value, rules) }
    }

    private func keeps(_ keyword: String, _ rule: JSONValue, _ value: JSONValue, _ rules: JSONObject) -> Bool {
        switch keyword {
        case "$schema", "$id", "$defs", "title", "description", "then", "else": return true
        case "$ref": return accepts(value, definition(rule))
        case "type": return rule.items.map { $0.contains { isOfType(value, $0) } } ?? isOfType(value, rule)
        case "enum": return rule.items?.contains(value) == true
        case "const": return rule == value
        case "not": return !accepts(value, rule)
        case "anyOf": return rule.items?.contains { accepts(value, $0) } == true
        case "allOf": return rule.items?.allSatisfy { accepts(value, $0) } == true
        case "if":
            let branch = rules[accepts(value, rule) ? "then" : "else"]
            return branch.map { accepts(value, $0) } ?? true
        case "properties", "required", "additionalProperties", "propertyNames", "minProperties",
            "maxProperties":
            guard case .object(let members) = value else { return true }
            return keeps(keyword, rule, of: members, rules)
        case "items", "minItems", "maxItems", "uniqueItems":
            guard let items = value.items else { return true }
            return keeps(keyword, rule, of: items)
        case "minimum", "maximum":
            guard case .integer(let number) = value, case .integer(let bound) = rule else { return true }
            return keyword == "minimum" ? number >= bound : number <= bound
        case "pattern", "minLength", "maxLength":
            guard case .string(let text) = value else { return true }
            if case .integer(let length) = rule {
                let count = text.unicodeScalars.count
                return keyword == "minLength" ? count >= length : count <= length
            }
            return text.range(of: rule.text ?? "", options: .regularExpression) != nil
        default: preconditionFailure("the schema has the keyword \(keyword), which nothing checks")
        }
    }

    private func keeps(_ keyword: String, _ rule: JSONValue, of members: JSONObject, _ rules: JSONObject) -> Bool {
        switch (keyword, rule) {
        case ("properties", .object(let schemas)):
            return members.allSatisfy { member in schemas[member.name].map { accepts(member.value, $0) } ?? true }
        case ("additionalProperties", _):
            var known: [ByteText] = []
            if case .object(let schemas)? = rules["properties"] { known = schemas.names }
            return members.allSatisfy { known.contains($0.name) || accepts($0.value, rule) }
        case ("required", _):
            return rule.items?.allSatisfy { name in name.text.map { members[$0.bytewise] != nil } == true } == true
        case ("propertyNames", _): return members.names.allSatisfy { accepts(.string($0.string), rule) }
        case ("minProperties", .integer(let count)): return members.count >= count
        case ("maxProperties", .integer(let count)): return members.count <= count
        default: return false
        }
    }

    private func keeps(_ keyword: String, _ rule: JSONValue, of items: [JSONValue]) -> Bool {
        switch (keyword, rule) {
        case ("items", _): items.allSatisfy { accepts($0, rule) }
        case ("minItems", .integer(let count)): items.count >= count
        case ("maxItems", .integer(let count)): items.count <= count
        case ("uniqueItems", _): items.indices.allSatisfy { !items[..<$0].contains(items[$0]) }
        default: false
        }
    }

    private func isOfType(_ value: JSONValue, _ name: JSONValue) -> Bool {
        switch (name.text ?? "", value) {
        case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool), ("null", .null),
            ("number", .integer), ("number", .number), ("integer", .integer):
            true
        default: false
        }
    }

    private func definition(_ reference: JSONValue) -> JSONValue {
        let steps = reference.text.map { $0.split(separator: "/") } ?? []
        var definition = JSONValue.object(root)
        for step in steps.dropFirst() {
            guard case .object(let members) = definition, let next = members[String(step).bytewise] else {
                preconditionFailure("the schema refers to \(reference), which is not there")
            }
            definition = next
        }
        return definition
    }
}

extension JSONValue {
    fileprivate var items: [JSONValue]? { if case .array(let items) = self { items } else { nil } }

    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
