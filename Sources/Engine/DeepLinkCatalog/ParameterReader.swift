import DeepLinkCore

/// The reader of a parameter's declaration: the name of a type, a list of one name, or a mapping with constraints.
struct ParameterReader {
    /// The part of a link that holds the value.
    enum Place: Equatable {
        case query

        case path(isOptional: Bool)

        /// Under its own key, as a part of the object with this key.
        case field(of: String)

        var isField: Bool { if case .field = self { true } else { false } }
    }

    /// The supported keys.
    static let keys = [
        "type", "from", "required", "default", "take", "values", "min", "max", "pattern", "fields", "value", "invalid",
        "inherit", "separator",
    ]

    /// The characters that may separate the values of a list.
    static let separators = [",", ";", "|", ":", ".", "-", "_", "~"]

    let identifier: Identifier
    let place: Place
    let log: IssueLog

    /// Reads a mapping from names to declarations.
    ///
    /// An invalid name is reported, and its declaration is omitted.
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
                        message: "`\(name.value)` cannot name \(noun).",
                        hint: "A name is letters, digits, `_`, `-` and `.`."
                    )
                    return nil
                }
                let reader = ParameterReader(identifier: identifier, place: place(name.value), log: log)
                return Located(reader.read(value), at: log.location(name.mark))
            }
    }

    /// Reads the declaration, reporting and omitting invalid parts.
    func read(_ node: YAMLNode) -> Parameter {
        let isShort = node.pairs == nil && !node.isNull
        let subject: String = if case .field = place { "the field `\(name)`" } else { "the parameter `\(name)`" }
        let reader = MappingReader(
            node.pairs == nil ? .emptyMapping(at: node.mark) : node,
            subject: subject,
            keys: Self.keys,
            log: log
        )
        if !isShort, reader["inherit"] != nil { return inherited(reader) }
        let fixed = reader["value"]
        let typeNode = isShort ? node : reader["type"]
        if typeNode == nil, fixed == nil {
            log.report(
                .missingKey,
                at: node.mark,
                message: "\(subject.firstLetterUppercased) has no `type`.",
                hint: "Add `type: string`, or another of \(TypeReader.names.joined(separator: ", "))."
            )
        }
        reportMisplacedKeys(reader)
        let keys = QueryKeysReader(name: name, reader: reader, log: log).read()
        let key = keys.first
        // A fixed value implies its type.
        let type =
            typeNode == nil
            ? fixed.map(Self.type) ?? .scalar(TypeReader.unknown)
            : TypeReader(name: name, key: key ?? self.key, reader: reader, log: log).read(typeNode)
        if keys.count > 1, !type.isSingle {
            report(
                "from",
                reader: reader,
                message: "of type `\(type.name)` reads several keys.",
                hint: "Name one key: only a parameter of a single value has a list."
            )
        }
        if case .field = place, type.name.bytewise == "object" || type.name.utf8.first == UInt8(ascii: "[") {
            report(
                "type",
                reader: reader,
                message: "is a field, which holds one value.",
                hint: "Make it a parameter of its own."
            )
        }
        let isRequired = reader.bool("required") ?? false
        if isRequired, reader["default"] != nil {
            report(
                "default",
                reader: reader,
                message: "is required and has a default.",
                hint: "Keep one of `required` and `default`."
            )
        }
        return Parameter(
            name: identifier,
            type: type,
            key: key ?? self.key,
            otherKeys: type.isSingle ? Array(keys.dropFirst()) : [],
            isRequired: isRequired,
            defaultValue: value("default", reader: reader, whole: type),
            take: take(reader),
            fixedValue: value("value", reader: reader, whole: type),
            ignoresInvalid: ignoresInvalid(reader, isRequired: isRequired),
            separator: separator(reader, type: type)
        )
    }

    /// Reads a parameter that inherits its value from a destination below.
    ///
    /// Its type is known once all routes are read.
    private func inherited(_ reader: MappingReader) -> Parameter {
        for key in Self.keys where key.bytewise != "inherit" && reader[key] != nil {
            report(
                key,
                reader: reader,
                message: "says `\(key)`, but inherits its value.",
                hint: "Remove `\(key)`: type and bounds are those of the parameter below."
            )
        }
        if place != .query {
            report(
                "inherit",
                reader: reader,
                message: "inherits its value, but \(place.isField ? "is a field" : "is in the path").",
                hint: "Give the inherited parameter a name of its own."
            )
        }
        let text = reader.string("inherit")
        let inheritance = text.flatMap { Inheritance($0) }
        if let text, inheritance == nil {
            report(
                "inherit",
                reader: reader,
                message: "inherits `\(text)`, which names no parameter.",
                hint: "Write the route and its parameter: `inherit: post.id`."
            )
        }
        return Parameter(name: identifier, type: .scalar(TypeReader.unknown), inheritance: inheritance)
    }

    /// Returns the type of a fixed value without a declared type: a number or a Boolean if it is written without
    /// quotes.
    private static func type(of value: YAMLNode) -> ParameterType {
        if let items = value.items, let first = items.first {
            guard case .scalar(let type) = type(of: first) else { return .scalar(TypeReader.unknown) }
            return .list(of: type, min: nil, max: nil)
        }
        let text = ScalarType.string(min: nil, max: nil, pattern: nil)
        guard case .scalar(let content, isPlain: true) = value.content else { return .scalar(text) }
        let isBool = content.bytewise == "true" || content.bytewise == "false"
        let types: [ScalarType] = [.int(min: nil, max: nil), .double(min: nil, max: nil)] + (isBool ? [.bool] : [])
        return .scalar(types.first { $0.value(of: content) != nil } ?? text)
    }

    private var name: String { identifier.text }

    private var key: String {
        if case .field(let object) = place { "\(object).\(name)" } else { name }
    }

    private func report(_ key: String, reader: MappingReader, message: String, hint: String) {
        log.report(
            .invalidParameter,
            at: reader[key]?.mark ?? reader.mark,
            message: "The parameter `\(name)` \(message)",
            hint: hint
        )
    }

    private func reportMisplacedKeys(_ reader: MappingReader) {
        switch place {
        case .query:
            guard reader["value"] != nil else { return }
            for key in ["from", "required", "default", "take", "invalid", "separator"] where reader[key] != nil {
                // `required: false` is redundant, but allowed.
                guard key.bytewise != "required" || reader.bool("required") == true else { continue }
                report(
                    key,
                    reader: reader,
                    message: "says `\(key)`, but has a fixed `value`.",
                    hint: "Remove `\(key)`: no link sets it."
                )
            }
        case .path(let isOptional):
            for key in ["from", "required", "default", "take", "value", "invalid", "separator"] where reader[key] != nil
            {
                guard key.bytewise != "default" || !isOptional else { continue }
                report(
                    key,
                    reader: reader,
                    message: "says `\(key)`, but is in the path.",
                    hint: "Remove `\(key)`: a path always gives it."
                )
            }
        case .field:
            for key in ["from", "take", "value", "invalid", "separator"] where reader[key] != nil {
                report(
                    key,
                    reader: reader,
                    message: "says `\(key)`, but is a field.",
                    hint: "Say `\(key)` of the object: its fields share it."
                )
            }
        }
    }

    private func ignoresInvalid(_ reader: MappingReader, isRequired: Bool) -> Bool {
        guard let name = reader.string("invalid") else { return false }
        guard name.bytewise == "ignore" else {
            report(
                "invalid",
                reader: reader,
                message: "has the unknown `invalid` `\(name)`.",
                hint: "Write `invalid: ignore`, or leave it out: then a link whose value does not fit fails."
            )
            return false
        }
        guard isRequired else { return true }
        report(
            "invalid",
            reader: reader,
            message: "is required, and ignored if it does not fit.",
            hint: "Keep one of `required` and `invalid`."
        )
        return false
    }

    private func separator(_ reader: MappingReader, type: ParameterType) -> UInt8? {
        // Elsewhere the key is already reported.
        guard place == .query, reader["value"] == nil, let text = reader.string("separator") else { return nil }
        guard Self.separators.contains(where: { $0.bytewise == text.bytewise }) else {
            report(
                "separator",
                reader: reader,
                message: "has the separator `\(text)`.",
                hint: "Write one of \(Self.separators.joined(separator: " "))."
            )
            return nil
        }
        guard case .list = type else {
            if type != .scalar(TypeReader.unknown) {
                report(
                    "separator",
                    reader: reader,
                    message: "of type `\(type.name)` has a separator.",
                    hint: "Write a list, such as `type: [int]`; or remove `separator`."
                )
            }
            return nil
        }
        return text.utf8.first
    }

    private func take(_ reader: MappingReader) -> Parameter.Take {
        guard let name = reader.string("take") else { return .next }
        if let take = Parameter.Take(bytewise: name) { return take }
        let names = Parameter.Take.allCases.map { $0.rawValue }
        report(
            "take",
            reader: reader,
            message: "has the unknown `take` `\(name)`.",
            hint: SpellingSuggestion.hint(
                for: name,
                among: names,
                otherwise: "Write one of \(names.joined(separator: ", "))."
            )
        )
        return .next
    }

    // MARK: Values

    /// Reads a value of the parameter's type, its `default` or its fixed `value`.
    private func value(_ key: String, reader: MappingReader, whole: ParameterType) -> ParameterValue? {
        switch whole {
        // A type that is already reported has no values to compare with.
        case .scalar(.enumeration(let words)) where words.isEmpty: return nil
        case .scalar(let type):
            guard let text = reader.string(key) else { return nil }
            return scalar(key, text: text, reader: reader, type: type)
        case .list(let type, _, _):
            guard let texts = reader.strings(key) else { return nil }
            let values = texts.compactMap { scalar(key, text: $0.value, reader: reader, type: type) }
            if texts.isEmpty {
                report(
                    key,
                    reader: reader,
                    message: "has an empty list as its \(key).",
                    hint: "Leave `\(key)` out: it is absent then."
                )
            }
            guard !values.isEmpty, values.count == texts.count else { return nil }
            guard let value = whole.adopt(.list(values)) else {
                report(
                    key,
                    reader: reader,
                    message: "has a \(key) of \(values.count) values.",
                    hint: "Keep its length within its bounds."
                )
                return nil
            }
            return value
        case .object:
            if reader[key] != nil {
                report(
                    key,
                    reader: reader,
                    message: "is an object with a \(key).",
                    hint: "Give its fields defaults instead."
                )
            }
            return nil
        }
    }

    private func scalar(
        _ key: String,
        text: String,
        reader: MappingReader,
        type: ScalarType
    ) -> ParameterValue? {
        let value = type.value(of: text)
        if value == nil {
            report(key, reader: reader, message: "has the \(key) `\(text)`.", hint: "Write \(type.expectation).")
        }
        return value
    }
}

extension ParameterType {
    /// Whether a value is one text of a link.
    fileprivate var isSingle: Bool { if case .scalar = self { true } else { false } }
}
