import DeepLinkCore
import Yams

/// Reads the declaration of one parameter: a type's name, or a mapping with constraints.
struct ParameterReader {
    private static let keys = ["type", "from", "required", "default", "values", "min", "max", "pattern"]
    private static let types = ["string", "int", "double", "bool", "uuid", "date", "dateTime", "enum"]

    let name: String

    /// Whether the path pattern holds the parameter.
    let isInPath: Bool

    let log: IssueLog

    /// Reads the declaration; a part that does not make sense is reported and left out.
    func read(_ node: Node) -> Parameter {
        if let text = node.scalar?.string, !node.isNull {
            let bare = Node.mapping(Node.Mapping([], Tag(.implicit), .any, node.mark))
            let reader = MappingReader(bare, subject: "the parameter `\(name)`", keys: Self.keys, log: log)
            return Parameter(name: name, type: type(text, at: node.mark, reader))
        }
        let reader = MappingReader(node, subject: "the parameter `\(name)`", keys: Self.keys, log: log)
        if reader["type"] == nil {
            log.report(
                .missingKey,
                at: node.mark,
                "The parameter `\(name)` has no `type`.",
                hint: "Add `type: string`, or another of \(Self.types.joined(separator: ", "))."
            )
        }
        let type = type(reader.string("type") ?? "string", at: reader["type"]?.mark, reader)
        let isRequired = reader.bool("required") ?? false
        if isInPath {
            for key in ["from", "required", "default"] where reader[key] != nil {
                invalid(
                    key,
                    reader,
                    "says `\(key)`, but stands in the path.",
                    "Remove `\(key)`: a path always gives it."
                )
            }
        } else if isRequired, reader["default"] != nil {
            invalid("default", reader, "is required and has a default.", "Keep one of `required` and `default`.")
        }
        let key = reader.string("from")
        if key?.isEmpty == true { invalid("from", reader, "reads an empty key.", "Name the query key that holds it.") }
        return Parameter(
            name: name,
            type: type,
            key: key,
            isRequired: isRequired,
            defaultValue: defaultValue(reader, type)
        )
    }

    private func invalid(_ key: String, _ reader: MappingReader, _ message: String, _ hint: String) {
        log.report(.invalidParameter, at: reader[key]?.mark, "The parameter `\(name)` \(message)", hint: hint)
    }

    private func defaultValue(_ reader: MappingReader, _ type: ParameterType) -> ParameterValue? {
        guard let text = reader.string("default") else { return nil }
        let value = type.value(of: text)
        if value == nil {
            invalid("default", reader, "has the default `\(text)`.", "Write \(type.expectation).")
        }
        return value
    }

    // MARK: Types

    private func type(_ text: String, at mark: Mark?, _ reader: MappingReader) -> ParameterType {
        reportForeignConstraints(of: text, reader)
        switch text {
        case "string":
            let (min, max) = bounds(reader, int, as: .int(min: 0, max: nil))
            return .string(min: min, max: max, pattern: pattern(reader))
        case "int":
            let (min, max) = bounds(reader, int, as: .int(min: nil, max: nil))
            return .int(min: min, max: max)
        case "double":
            let (min, max) = bounds(reader, double, as: .double(min: nil, max: nil))
            return .double(min: min, max: max)
        case "bool": return .bool
        case "uuid": return .uuid
        case "date": return .date
        case "dateTime": return .dateTime
        case "enum": return .enumeration(words(reader, at: mark))
        default:
            log.report(
                .invalidParameter,
                at: mark,
                "The parameter `\(name)` has the unknown type `\(text)`.",
                hint: Spelling.hint(
                    for: text,
                    among: Self.types,
                    otherwise: "Types are \(Self.types.joined(separator: ", "))."
                )
            )
            return .string(min: nil, max: nil, pattern: nil)
        }
    }

    private func reportForeignConstraints(of type: String, _ reader: MappingReader) {
        guard Self.types.contains(type) else { return }
        let allowed: [String: [String]] = [
            "min": ["string", "int", "double"], "max": ["string", "int", "double"], "pattern": ["string"],
            "values": ["enum"],
        ]
        for (key, types) in allowed where reader[key] != nil && !types.contains(type) {
            invalid(
                key,
                reader,
                "of type `\(type)` cannot have `\(key)`.",
                "Remove it; `\(key)` goes with \(types.joined(separator: ", "))."
            )
        }
    }

    private func bounds<Number: Comparable>(
        _ reader: MappingReader,
        _ number: (ParameterValue?) -> Number?,
        as type: ParameterType
    ) -> (Number?, Number?) {
        let values = ["min", "max"]
            .map { key -> Number? in
                guard let text = reader.string(key) else { return nil }
                guard let value = number(type.value(of: text)) else {
                    invalid(key, reader, "has the `\(key)` `\(text)`.", "Write \(type.expectation).")
                    return nil
                }
                return value
            }
        guard let min = values[0], let max = values[1], min > max else { return (values[0], values[1]) }
        invalid("max", reader, "has a `max` below its `min`.", "Swap the two.")
        return (nil, nil)
    }

    private func int(_ value: ParameterValue?) -> Int? {
        if case .int(let number)? = value { number } else { nil }
    }

    private func double(_ value: ParameterValue?) -> Double? {
        if case .double(let number)? = value { number } else { nil }
    }

    private func pattern(_ reader: MappingReader) -> TextPattern? {
        guard let text = reader.string("pattern") else { return nil }
        do throws(TextPatternError) {
            return try TextPattern(text)
        } catch {
            invalid(
                "pattern",
                reader,
                "has the pattern `\(text)`, which \(error.message).",
                "Write characters and classes with lengths, such as `[a-z0-9-]{1,64}`."
            )
            return nil
        }
    }

    private func words(_ reader: MappingReader, at mark: Mark?) -> [String] {
        let words = reader.strings("values")?.map(\.value) ?? []
        if words.isEmpty, reader["values"] == nil || reader["values"]?.sequence?.isEmpty == true {
            log.report(
                .invalidParameter,
                at: reader["values"]?.mark ?? mark,
                "The enumeration `\(name)` has no `values`.",
                hint: "Add `values: [first, second]`."
            )
        }
        if Set(words.map { Array($0.utf8) }).count < words.count {
            invalid("values", reader, "lists a value twice.", "Remove one of the two.")
        }
        return words
    }
}
