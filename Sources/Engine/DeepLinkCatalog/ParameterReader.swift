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

    private let identifier: Identifier
    private let place: Place
    private let node: YAMLNode
    private let reader: MappingReader

    private init(_ node: YAMLNode, of identifier: Identifier, in place: Place, log: IssueLog) {
        self.identifier = identifier
        self.place = place
        self.node = node
        reader = MappingReader(
            node.pairs == nil ? .emptyMapping(at: node.mark) : node,
            subject: "the \(place.isField ? "field" : "parameter") `\(identifier.text)`",
            keys: Self.keys,
            log: log
        )
    }

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
                let reader = ParameterReader(value, of: identifier, in: place(name.value), log: log)
                return Located(reader.read(), at: log.location(name.mark))
            }
    }

    /// Reads the declaration, reporting and omitting invalid parts.
    private func read() -> Parameter {
        if reader["inherit"] != nil { return inherited() }
        let fixed = reader["value"]
        let isShort = node.pairs == nil && !node.isNull
        let typeNode = isShort ? node : reader["type"]
        if !isShort, fixed == nil {
            reader.require(
                "type",
                hint: "Add `type: string`, or another of \(TypeReader.names.joined(separator: ", "))."
            )
        }
        reportMisplacedKeys()
        let keys = QueryKeysReader(name: name, reader: reader).read()
        let key = keys.first
        // A fixed value implies its type.
        let type =
            typeNode == nil
            ? fixed.map(Self.type) ?? .scalar(TypeReader.unknown)
            : TypeReader(name: name, key: key ?? self.key, reader: reader).read(typeNode)
        if keys.count > 1, !type.isSingle {
            report(
                at: "from",
                "of type `\(type.name)` reads several keys.",
                hint: "Name one key: only a parameter of a single value has a list."
            )
        }
        if place.isField, type.name.bytewise == "object" || type.name.utf8.first == UInt8(ascii: "[") {
            report(at: "type", "is a field, which holds one value.", hint: "Make it a parameter of its own.")
        }
        let isRequired = reader.bool("required") ?? false
        if isRequired, reader["default"] != nil {
            report(at: "default", "is required and has a default.", hint: "Keep one of `required` and `default`.")
        }
        return Parameter(
            name: identifier,
            type: type,
            key: key ?? self.key,
            otherKeys: type.isSingle ? Array(keys.dropFirst()) : [],
            isRequired: isRequired,
            defaultValue: value("default", of: type),
            take: take(),
            fixedValue: value("value", of: type),
            ignoresInvalid: ignoresInvalid(isRequired: isRequired),
            separator: separator(of: type)
        )
    }

    /// Reads a parameter that inherits its value from a destination below.
    ///
    /// Its type is known once all routes are read.
    private func inherited() -> Parameter {
        for key in Self.keys where key.bytewise != "inherit" && reader[key] != nil {
            report(
                at: key,
                "says `\(key)`, but inherits its value.",
                hint: "Remove `\(key)`: type and bounds are those of the parameter below."
            )
        }
        if place != .query {
            report(
                at: "inherit",
                "inherits its value, but \(place.isField ? "is a field" : "is in the path").",
                hint: "Give the inherited parameter a name of its own."
            )
        }
        let text = reader.string("inherit")
        let inheritance = text.flatMap { Inheritance($0) }
        if let text, inheritance == nil {
            report(
                at: "inherit",
                "inherits `\(text)`, which names no parameter.",
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
        let text = ScalarType.anyText
        guard case .scalar(let content, isPlain: true) = value.content else { return .scalar(text) }
        let isBool = content.bytewise == "true" || content.bytewise == "false"
        let types: [ScalarType] = [.int(min: nil, max: nil), .double(min: nil, max: nil)] + (isBool ? [.bool] : [])
        return .scalar(types.first { $0.value(of: content) != nil } ?? text)
    }

    private var name: String { identifier.text }

    private var key: String {
        if case .field(let object) = place { "\(object).\(name)" } else { name }
    }

    /// Reports an issue of a key's value, or of the whole declaration if it doesn't have the key.
    private func report(at key: String, _ message: String, hint: String) {
        reader.log.report(
            .invalidParameter,
            at: reader[key]?.mark ?? reader.mark,
            message: "The parameter `\(name)` \(message)",
            hint: hint
        )
    }

    /// Reports the keys that a value in this place, or a fixed value, cannot have.
    private func reportMisplacedKeys() {
        switch place {
        case .query:
            guard reader["value"] != nil else { return }
            // `required: false` is redundant, but allowed.
            let required = reader.bool("required") == true ? ["required"] : []
            reportMisplaced(required + ["from", "default", "take", "invalid", "separator"], but: "has a fixed `value`")
            {
                "Remove `\($0)`: no link sets it."
            }
        case .path(let isOptional):
            let keys = (isOptional ? [] : ["default"]) + ["from", "required", "take", "value", "invalid", "separator"]
            reportMisplaced(keys, but: "is in the path") { "Remove `\($0)`: a path always gives it." }
        case .field:
            reportMisplaced(["from", "take", "value", "invalid", "separator"], but: "is a field") {
                "Say `\($0)` of the object: its fields share it."
            }
        }
    }

    private func reportMisplaced(_ keys: [String], but reason: String, hint: (String) -> String) {
        for key in keys where reader[key] != nil {
            report(at: key, "says `\(key)`, but \(reason).", hint: hint(key))
        }
    }

    private func ignoresInvalid(isRequired: Bool) -> Bool {
        guard let name = reader.string("invalid") else { return false }
        guard name.bytewise == "ignore" else {
            report(
                at: "invalid",
                "has the unknown `invalid` `\(name)`.",
                hint: "Write `invalid: ignore`, or leave it out: then a link whose value does not fit fails."
            )
            return false
        }
        guard isRequired else { return true }
        report(
            at: "invalid",
            "is required, and ignored if it does not fit.",
            hint: "Keep one of `required` and `invalid`."
        )
        return false
    }

    private func separator(of type: ParameterType) -> UInt8? {
        // Elsewhere the key is already reported.
        guard place == .query, reader["value"] == nil, let text = reader.string("separator") else { return nil }
        guard Self.separators.contains(where: { $0.bytewise == text.bytewise }) else {
            let all = Self.separators.joined(separator: " ")
            report(at: "separator", "has the separator `\(text)`.", hint: "Write one of \(all).")
            return nil
        }
        guard case .list = type else {
            if type != .scalar(TypeReader.unknown) {
                report(
                    at: "separator",
                    "of type `\(type.name)` has a separator.",
                    hint: "Write a list, such as `type: [int]`; or remove `separator`."
                )
            }
            return nil
        }
        return text.utf8.first
    }

    private func take() -> Parameter.Take {
        guard let name = reader.string("take") else { return .next }
        if let take = Parameter.Take(bytewise: name) { return take }
        let names = Parameter.Take.allCases.map { $0.rawValue }
        report(
            at: "take",
            "has the unknown `take` `\(name)`.",
            hint: SpellingSuggestion.hint(for: name, among: names, listing: "Write one of")
        )
        return .next
    }

    // MARK: Values

    /// Reads a value of the parameter's type, its `default` or its fixed `value`.
    private func value(_ key: String, of type: ParameterType) -> ParameterValue? {
        switch type {
        // A type that is already reported has no values to compare with.
        case .scalar(.enumeration(let words)) where words.isEmpty: return nil
        case .scalar(let type): return reader.string(key).flatMap { scalar(key, text: $0, type: type) }
        case .list(let item, _, _):
            guard let texts = reader.strings(key) else { return nil }
            let values = texts.compactMap { scalar(key, text: $0.value, type: item) }
            if texts.isEmpty {
                report(at: key, "has an empty list as its \(key).", hint: "Leave `\(key)` out: it is absent then.")
            }
            guard !values.isEmpty, values.count == texts.count else { return nil }
            let value = type.adopt(.list(values))
            if value == nil {
                report(at: key, "has a \(key) of \(values.count) values.", hint: "Keep its length within its bounds.")
            }
            return value
        case .object:
            if reader[key] != nil {
                report(at: key, "is an object with a \(key).", hint: "Give its fields defaults instead.")
            }
            return nil
        }
    }

    private func scalar(_ key: String, text: String, type: ScalarType) -> ParameterValue? {
        let value = type.value(of: text)
        if value == nil {
            report(at: key, "has the \(key) `\(text)`.", hint: "Write \(type.expectation).")
        }
        return value
    }
}

extension ParameterType {
    /// Whether a value is one text of a link.
    fileprivate var isSingle: Bool { if case .scalar = self { true } else { false } }
}
