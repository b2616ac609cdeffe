import DeepLinkCore

/// The reader of the declaration of one parameter: a type's name, a list of one, or a mapping with constraints.
struct ParameterReader {
    /// The part of links that holds the value.
    enum Place: Equatable {
        case query

        case path(isOptional: Bool)

        /// Under a key of its own, as a part of the object with this key.
        case field(of: String)
    }

    /// The keys that mean something here.
    static let keys = [
        "type", "from", "required", "default", "take", "values", "min", "max", "pattern", "fields",
    ]

    let identifier: Identifier
    let place: Place
    let log: IssueLog

    /// Reads a mapping from names to declarations; what cannot be named so is reported and left out.
    static func readAll(
        _ node: YAMLNode,
        subject: String,
        noun: String,
        log: IssueLog,
        place: (String) -> Place
    ) -> [Located<Parameter>] {
        MappingReader.pairs(of: node, subject: subject, log: log)
            .compactMap { name, value in
                guard let identifier = Identifier(name.value) else {
                    log.report(
                        .invalidParameter,
                        at: name.mark,
                        "`\(name.value)` cannot name \(noun).",
                        hint: "A name is letters, digits, `_`, `-` and `.`."
                    )
                    return nil
                }
                let reader = ParameterReader(identifier: identifier, place: place(name.value), log: log)
                return Located(reader.read(value), at: log.location(name.mark))
            }
    }

    /// Reads the declaration; a part that does not make sense is reported and left out.
    func read(_ node: YAMLNode) -> Parameter {
        let isShort = node.pairs == nil && !node.isNull
        let subject: String = if case .field = place { "the field `\(name)`" } else { "the parameter `\(name)`" }
        let reader = MappingReader(
            node.pairs == nil ? .emptyMapping(at: node.mark) : node,
            subject: subject,
            keys: Self.keys,
            log: log
        )
        let typeNode = isShort ? node : reader["type"]
        if typeNode == nil {
            log.report(
                .missingKey,
                at: node.mark,
                "\(subject.firstLetterUppercased) has no `type`.",
                hint: "Add `type: string`, or another of \(TypeReader.names.joined(separator: ", "))."
            )
        }
        reportMisplacedKeys(reader)
        let key = reader.string("from")
        if key?.isEmpty == true { report("from", reader, "reads an empty key.", "Name the query key that holds it.") }
        let type = TypeReader(name: name, key: key ?? self.key, reader: reader, log: log).read(typeNode)
        if case .field = place, type.name.bytewise == "object" || type.name.utf8.first == UInt8(ascii: "[") {
            report("type", reader, "is a field, which holds one value.", "Make it a parameter of its own.")
        }
        let isRequired = reader.bool("required") ?? false
        if isRequired, reader["default"] != nil {
            report("default", reader, "is required and has a default.", "Keep one of `required` and `default`.")
        }
        return Parameter(
            name: identifier,
            type: type,
            key: key ?? self.key,
            isRequired: isRequired,
            defaultValue: defaultValue(reader, type),
            take: take(reader)
        )
    }

    private var name: String { identifier.text }

    private var key: String {
        if case .field(let object) = place { "\(object).\(name)" } else { name }
    }

    private func report(_ key: String, _ reader: MappingReader, _ message: String, _ hint: String) {
        log.report(
            .invalidParameter,
            at: reader[key]?.mark ?? reader.mark,
            "The parameter `\(name)` \(message)",
            hint: hint
        )
    }

    private func reportMisplacedKeys(_ reader: MappingReader) {
        switch place {
        case .query: return
        case .path(let isOptional):
            for key in ["from", "required", "default", "take"] where reader[key] != nil {
                guard key.bytewise != "default" || !isOptional else { continue }
                report(
                    key,
                    reader,
                    "says `\(key)`, but stands in the path.",
                    "Remove `\(key)`: a path always gives it."
                )
            }
        case .field:
            for key in ["from", "take"] where reader[key] != nil {
                report(
                    key,
                    reader,
                    "says `\(key)`, but is a field.",
                    "Say `\(key)` of the object: its fields share it."
                )
            }
        }
    }

    private func take(_ reader: MappingReader) -> Parameter.Take {
        guard let name = reader.string("take") else { return .next }
        if let take = Parameter.Take(bytewise: name) { return take }
        let names = Parameter.Take.allCases.map(\.rawValue)
        report(
            "take",
            reader,
            "has the unknown `take` `\(name)`.",
            SpellingSuggestion.hint(
                for: name,
                among: names,
                otherwise: "Write one of \(names.joined(separator: ", "))."
            )
        )
        return .next
    }

    // MARK: Default

    private func defaultValue(_ reader: MappingReader, _ whole: ParameterType) -> ParameterValue? {
        switch whole {
        // A type that is reported already has no values to compare with.
        case .scalar(.enumeration(let words)) where words.isEmpty: return nil
        case .scalar(let type):
            guard let text = reader.string("default") else { return nil }
            return scalarDefault(text, reader, type)
        case .list(let type, _, _):
            guard let texts = reader.strings("default") else { return nil }
            let values = texts.compactMap { scalarDefault($0.value, reader, type) }
            if texts.isEmpty {
                report(
                    "default",
                    reader,
                    "has an empty list as its default.",
                    "Leave `default` out: it is absent then."
                )
            }
            guard !values.isEmpty, values.count == texts.count else { return nil }
            guard let value = whole.adopt(.list(values)) else {
                report(
                    "default",
                    reader,
                    "has a default of \(values.count) values.",
                    "Keep its length within its bounds."
                )
                return nil
            }
            return value
        case .object:
            if reader["default"] != nil {
                report("default", reader, "is an object with a default.", "Give its fields defaults instead.")
            }
            return nil
        }
    }

    private func scalarDefault(_ text: String, _ reader: MappingReader, _ type: ScalarType) -> ParameterValue? {
        let value = type.value(of: text)
        if value == nil { report("default", reader, "has the default `\(text)`.", "Write \(type.expectation).") }
        return value
    }
}
