import DeepLinkCore

/// The reader of the type of a parameter with its constraints.
struct TypeReader {
    private static let scalarNames = ["string", "int", "double", "bool", "uuid", "date", "dateTime", "enum"]

    /// The replacement for a type that is already reported.
    ///
    /// It accepts nothing, so that no further issue follows from it.
    static let unknown = ScalarType.enumeration([])

    /// The types that a catalog may name.
    static let names = scalarNames + ["object", "[string]"]

    let name: String

    /// The query key of the parameter, a prefix of the keys of an object's fields.
    let key: String

    let reader: MappingReader

    private var log: IssueLog { reader.log }

    /// Reads a type's name, or a list of one name.
    func read(_ node: YAMLNode?) -> ParameterType {
        let fallback = ParameterType.scalar(Self.unknown)
        guard let node else { return fallback }
        guard let (text, isList) = typeName(node) else {
            log.reportKind(
                of: node,
                subject: "The type of the parameter `\(name)`",
                hint: "Write a type, such as `int`, or a list of one: `[int]`."
            )
            return fallback
        }
        reportForeignConstraints(of: text, isList: isList)
        if isList, text.bytewise == "object" {
            log.report(
                .invalidParameter,
                at: node.mark,
                message: "The parameter `\(name)` is a list of objects; a list holds single values.",
                hint: "Write a list of a type such as `[string]`, or one `object`."
            )
            return fallback
        }
        if isList {
            let (min, max) = bounds(int, as: .int(min: 0, max: nil))
            return .list(of: scalar(text, at: node.mark, hasBounds: false), min: min, max: max)
        }
        return text.bytewise == "object"
            ? .object(fields(at: node.mark)) : .scalar(scalar(text, at: node.mark, hasBounds: true))
    }

    /// Parses `int`, `[int]` and `"[int]"`.
    private func typeName(_ node: YAMLNode) -> (String, isList: Bool)? {
        if let items = node.items {
            guard items.count == 1, let text = items.first?.text else { return nil }
            return (text, true)
        }
        guard let text = node.text, !node.isNull else { return nil }
        guard text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]"), text.utf8.count > 1 else {
            return (text, false)
        }
        return (String(text.utf8.dropFirst().dropLast()) ?? "", true)
    }

    private func report(at key: String, _ message: String, hint: String) {
        log.report(.invalidParameter, at: reader[key]?.mark, message: "The parameter `\(name)` \(message)", hint: hint)
    }

    private func reportForeignConstraints(of type: String, isList: Bool) {
        let type = type.bytewise
        guard type == "object" || Self.scalarNames.contains(where: { $0.bytewise == type }) else { return }
        let bounded = ["string", "int", "double"]
        let allowed = [
            ("min", bounded), ("max", bounded), ("pattern", ["string"]), ("values", ["enum"]), ("fields", ["object"]),
        ]
        for (key, types) in allowed where reader[key] != nil && !types.contains(where: { $0.bytewise == type }) {
            guard !(isList && types.count == bounded.count) else { continue }
            report(
                at: key,
                "of type `\(type)` cannot have `\(key)`.",
                hint: "Remove it; `\(key)` goes with \(types.joined(separator: ", "))."
            )
        }
    }

    // MARK: Scalars

    private func scalar(_ text: String, at mark: YAMLMark?, hasBounds: Bool) -> ScalarType {
        switch text.bytewise {
        case "string":
            let (min, max) = hasBounds ? bounds(int, as: .int(min: 0, max: nil)) : (nil, nil)
            do throws(PatternError) {
                return .string(min: min, max: max, pattern: try pattern())
            } catch {
                // A failed pattern must not cause reports of ambiguity.
                return Self.unknown
            }
        case "int":
            let (min, max) = hasBounds ? bounds(int, as: .int(min: nil, max: nil)) : (nil, nil)
            return .int(min: min, max: max)
        case "double":
            let (min, max) = hasBounds ? bounds(double, as: .double(min: nil, max: nil)) : (nil, nil)
            return .double(min: min, max: max)
        case "bool": return .bool
        case "uuid": return .uuid
        case "date": return .date
        case "dateTime": return .dateTime
        case "enum": return .enumeration(EnumerationWords(words(at: mark)))
        default:
            log.report(
                .invalidParameter,
                at: mark,
                message: "The parameter `\(name)` has the unknown type `\(text)`.",
                hint: SpellingSuggestion.hint(for: text, among: Self.names, listing: "Types are")
            )
            return Self.unknown
        }
    }

    private func bounds<Number: Comparable>(
        _ number: (ParameterValue?) -> Number?,
        as type: ScalarType
    ) -> (Number?, Number?) {
        let values = ["min", "max"]
            .map { key -> Number? in
                guard let text = reader.string(key) else { return nil }
                let value = number(type.value(of: text))
                if value == nil {
                    report(at: key, "has the `\(key)` `\(text)`.", hint: "Write \(type.expectation).")
                }
                return value
            }
        guard let min = values[0], let max = values[1], min > max else { return (values[0], values[1]) }
        report(at: "max", "has a `max` below its `min`.", hint: "Swap the two.")
        return (nil, nil)
    }

    private func int(_ value: ParameterValue?) -> Int64? {
        if case .int(let number)? = value { number } else { nil }
    }

    private func double(_ value: ParameterValue?) -> Double? {
        if case .double(let number)? = value { number } else { nil }
    }

    private func pattern() throws(PatternError) -> TextPattern? {
        guard let text = reader.string("pattern") else { return nil }
        do throws(PatternError) {
            return try TextPattern(text)
        } catch {
            report(
                at: "pattern",
                "has the pattern `\(text)`, which \(error.message).",
                hint: error.hint ?? "Write characters and classes with lengths, such as `[a-z0-9-]{1,64}`."
            )
            throw error
        }
    }

    private func words(at mark: YAMLMark?) -> [String] {
        let words = reader.strings("values")?.map { $0.value } ?? []
        if words.isEmpty, reader["values"] == nil || reader["values"]?.items?.isEmpty == true {
            log.report(
                .invalidParameter,
                at: reader["values"]?.mark ?? mark,
                message: "The enumeration `\(name)` has no `values`.",
                hint: "Add `values: [first, second]`."
            )
        }
        if Set(words.map { Array($0.utf8) }).count < words.count {
            report(at: "values", "lists a value twice.", hint: "Remove one of the two.")
        }
        return words
    }

    // MARK: Objects

    private func fields(at mark: YAMLMark?) -> [Parameter] {
        guard let node = reader["fields"], node.pairs?.isEmpty == false else {
            log.report(
                .invalidParameter,
                at: reader["fields"]?.mark ?? mark,
                message: "The object `\(name)` has no `fields`.",
                hint: "Add `fields: { id: int, name: string }`."
            )
            return []
        }
        let subject = "`fields` of the parameter `\(name)`"
        return ParameterReader.readAll(node, subject: subject, noun: "a field", log: log) { _ in .field(of: key) }
            .map { $0.value }
    }
}
