/// One typed parameter of a route, or one field of an object.
///
/// A parameter named in the path pattern is read from the path, any other from the query key ``key``.
///
/// A class, like ``Edge``: passing a parameter on retains one reference, not one for each of its parts.
package final class Parameter: Sendable {
    /// The effect of reading an occurrence of a repeated key on the destinations above.
    package enum Take: String, CaseIterable, Sendable {
        /// The occurrence is consumed: the next reader gets the next one.
        case next

        /// The occurrence stays: the next reader gets the same one.
        case shared
    }

    /// The name under which clients receive the value.
    package let identifier: Identifier

    /// The type of the accepted values.
    package let type: ParameterType

    /// The query key of a parameter that isn't read from the path or, for an object, the prefix of its fields' keys.
    ///
    /// If there are several keys, it is the first, which printed links use.
    package let key: String

    /// The alternative keys, in order, for links that have none of the earlier keys.
    ///
    /// Only single values have alternative keys (decision record 28).
    package let otherKeys: [String]

    /// Whether a link without the key is rejected.
    package let isRequired: Bool

    /// The value of a link without the key.
    package let defaultValue: ParameterValue?

    /// The effect of reading the key on other destinations.
    package let take: Take

    /// The value in every plan, or `nil` if links set it.
    package let fixedValue: ParameterValue?

    /// Whether a value that does not fit is ignored, as if the link did not have it.
    package let ignoresInvalid: Bool

    /// The character between the values of a list in one occurrence of the key, or `nil` if each has an occurrence.
    package let separator: UInt8?

    /// The origin of an inherited value in a destination below, or `nil` if the value isn't inherited.
    ///
    /// For an inherited value, ``isRequired`` says whether every path to the route has it.
    package let inheritance: Inheritance?

    /// Whether reading the parameter involves more than its key and its type.
    let isUnusual: Bool

    /// Whether no link sets the value: it is fixed, or inherited.
    package let isFixed: Bool

    /// The fast-path category of the type.
    let plainType: PlainType

    /// Creates a parameter from its parts.
    package init(
        name: Identifier,
        type: ParameterType,
        key: String? = nil,
        otherKeys: [String] = [],
        isRequired: Bool = false,
        defaultValue: ParameterValue? = nil,
        take: Take = .next,
        fixedValue: ParameterValue? = nil,
        ignoresInvalid: Bool = false,
        separator: UInt8? = nil,
        inheritance: Inheritance? = nil
    ) {
        identifier = name
        self.type = type
        self.key = key ?? name.text
        self.otherKeys = otherKeys
        self.isRequired = isRequired
        self.defaultValue = defaultValue
        self.take = take
        self.fixedValue = fixedValue
        self.ignoresInvalid = ignoresInvalid
        self.separator = separator
        isUnusual = fixedValue != nil || ignoresInvalid || !otherKeys.isEmpty
        self.inheritance = inheritance
        isFixed = fixedValue != nil || inheritance != nil
        plainType = if case .scalar(let type) = type { PlainType(type) } else { .other }
    }

    /// The identifier's text.
    package var name: String { identifier.text }

    /// The query keys of the parameter, of which the first one in a link counts for a single value.
    package var keys: [String] {
        guard !isFixed else { return [] }
        return if case .object(let fields) = type { fields.map { $0.key } } else { [key] + otherKeys }
    }

    /// Returns whether the parameter reads a query key.
    func reads(_ key: String) -> Bool {
        guard !isFixed else { return false }
        return if case .object(let fields) = type {
            fields.contains { $0.key.bytewise == key.bytewise }
        } else {
            isKey(key)
        }
    }

    /// Returns whether a query key holds the value of this parameter, which is not an object.
    private func isKey(_ key: String) -> Bool {
        self.key.bytewise == key.bytewise || otherKeys.contains { $0.bytewise == key.bytewise }
    }

    /// Returns the type of the single value that a key holds, or `nil` if the parameter does not read the key.
    func type(ofKey key: String) -> ScalarType? {
        switch type {
        case .scalar(let type), .list(let type, _, _): isKey(key) ? type : nil
        case .object(let fields): fields.lazy.compactMap { $0.type(ofKey: key) }.first
        }
    }

    /// Returns the same parameter with another type.
    func with(type: ParameterType) -> Parameter {
        Parameter(
            name: identifier,
            type: type,
            key: key,
            otherKeys: otherKeys,
            isRequired: isRequired,
            defaultValue: defaultValue,
            take: take,
            fixedValue: fixedValue,
            ignoresInvalid: ignoresInvalid,
            separator: separator,
            inheritance: inheritance
        )
    }

    /// Arranges a client's values in the declared order, and adds the defaults of missing ones.
    ///
    /// - Returns: `nil` if a value belongs to no declared parameter or does not fit, or a required value is missing.
    static func adopt(
        _ values: [BoundParameter],
        for parameters: [Parameter],
        isRequired: (Int) -> Bool
    ) -> [BoundParameter]? {
        // More values than parameters cannot all be declared. This also bounds the work.
        guard values.count <= parameters.count else { return nil }
        var adopted: [BoundParameter] = []
        var usedCount = 0
        var others: [ByteText: Int]?
        for (index, parameter) in parameters.enumerated() {
            if let given = value(named: parameter.name, among: values, expectedAt: usedCount, &others) {
                guard let value = parameter.type.adopt(given.value),
                    parameter.fixedValue.map({ $0 == value }) ?? true
                else { return nil }
                adopted.append(BoundParameter(name: parameter.name, value: value))
                usedCount += 1
            } else if let value = parameter.fixedValue ?? parameter.defaultValue {
                adopted.append(BoundParameter(name: parameter.name, value: value))
            } else if isRequired(index) {
                return nil
            }
        }
        return usedCount == values.count ? adopted : nil
    }

    /// Returns a value by its name, looking first at its position in the declared order, then everywhere.
    private static func value(
        named name: String,
        among values: [BoundParameter],
        expectedAt place: Int,
        _ others: inout [ByteText: Int]?
    ) -> BoundParameter? {
        if place < values.count, values[place].name.bytewise == name.bytewise { return values[place] }
        guard values.count > 4 else { return values.first { $0.name.bytewise == name.bytewise } }
        let known = others ?? Dictionary(positionsOf: values.lazy.map { $0.name })
        others = known
        return known[name.bytewise].map { values[$0] }
    }
}

extension Parameter: Hashable {
    /// Compares the whole declarations.
    package static func == (left: Parameter, right: Parameter) -> Bool {
        left === right
            || left.identifier == right.identifier && left.type == right.type
                && left.key.bytewise == right.key.bytewise
                && left.otherKeys.map { $0.bytewise } == right.otherKeys.map { $0.bytewise }
                && left.isRequired == right.isRequired && left.defaultValue == right.defaultValue
                && left.take == right.take && left.fixedValue == right.fixedValue
                && left.ignoresInvalid == right.ignoresInvalid && left.separator == right.separator
                && left.inheritance == right.inheritance
    }

    /// Hashes the properties that distinguish most declarations.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
        hasher.combine(type)
        hasher.combine(key.bytewise)
    }
}

/// A name that a catalog gives to a parameter, a field or a custom presentation: letters, digits, `_`, `-` and `.`.
///
/// An identifier needs no further check: it reads the same in a path pattern, a query key and JSON.
package struct Identifier: Hashable, Sendable {
    /// The name, which has at least one character.
    package let text: String

    /// Parses a name, or returns `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        let isName = text.utf8.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x5F || byte == ASCII.minus || byte == ASCII.dot
        }
        guard isName, !text.isEmpty else { return nil }
        self.text = String(text)
    }

    /// Compares the bytes.
    package static func == (left: Identifier, right: Identifier) -> Bool { left.text.bytewise == right.text.bytewise }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }
}

/// The origin of a value that a destination inherits from one below it: a parameter of a route.
///
/// ```yaml
/// comments: { parameters: { postID: { inherit: post.id } } }
/// ```
///
/// The nearest destination of that route counts. The value is in plans, but not in links and queries.
package struct Inheritance: Hashable, Sendable {
    /// The name of the route below.
    package let route: String

    /// The name of the route's parameter.
    package let parameter: String

    /// Creates an origin from its parts.
    package init(route: String, parameter: String) {
        self.route = route
        self.parameter = parameter
    }

    /// Parses the name of a route and, after a dot, of its parameter.
    ///
    /// Names may contain dots. Until the names of the routes are known, the first dot counts.
    ///
    /// - Returns: `nil` if one of the names is missing.
    package init?(_ text: String) {
        guard let dot = text.utf8.firstIndex(of: ASCII.dot), dot != text.startIndex,
            text.index(after: dot) != text.endIndex
        else { return nil }
        self.init(route: String(text[..<dot]), parameter: String(text[text.index(after: dot)...]))
    }

    /// The text in the notation of catalogs.
    package var text: String { "\(route).\(parameter)" }

    /// All readings of the text, the shortest route first.
    var readings: [Inheritance] {
        let text = text
        return text.utf8.indices.filter { text.utf8[$0] == ASCII.dot }
            .compactMap { dot in
                let (route, parameter) = (text[..<dot], text[text.index(after: dot)...])
                guard !route.isEmpty, !parameter.isEmpty else { return nil }
                return Inheritance(route: String(route), parameter: String(parameter))
            }
    }

    /// Compares the bytes.
    package static func == (left: Inheritance, right: Inheritance) -> Bool {
        left.route.bytewise == right.route.bytewise && left.parameter.bytewise == right.parameter.bytewise
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(route.bytewise)
        hasher.combine(parameter.bytewise)
    }
}

/// The value of one parameter of a destination, in its type.
///
/// `uuid`, `date`, `dateTime` and `enum` values are texts here, as they are in answers to clients.
package enum ParameterValue: Hashable, Sendable {
    /// A text, a UUID in lower case, a date, a date-time, or a word of an enumeration.
    case string(String)

    /// A whole number.
    case int(Int64)

    /// A finite decimal number.
    case double(Double)

    /// A Boolean.
    case bool(Bool)

    /// Several values of one type, in the order of the link.
    case list([ParameterValue])

    /// Named parts, in the order that the catalog declares, without absent optional ones.
    case object([BoundParameter])

    /// The value in readable form and, for a single value, its text in a link before percent-encoding.
    ///
    /// Parsing a single value's text with the parameter's type gives an equal value.
    package var text: String {
        switch self {
        case .string(let text): text
        case .int(let number): String(number)
        case .double(let number): DecimalText.print(number)
        case .bool(let flag): flag ? "true" : "false"
        case .list(let items): "[" + items.map { $0.text }.joined(separator: ", ") + "]"
        case .object(let fields): "{" + fields.map { "\($0.name): \($0.value.text)" }.joined(separator: ", ") + "}"
        }
    }

    /// Compares numbers by value and texts by their bytes, so that two spellings of `é` differ.
    package static func == (left: ParameterValue, right: ParameterValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): left.bytewise == right.bytewise
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.bool(let left), .bool(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes numbers by value and texts by their bytes.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .string(let text): hasher.combine(text.bytewise)
        case .int(let number): hasher.combine(number)
        case .double(let number): hasher.combine(number)
        case .bool(let flag): hasher.combine(flag)
        case .list(let items): hasher.combine(items)
        case .object(let fields): hasher.combine(fields)
        }
    }
}

/// One parameter of a destination with its value.
package struct BoundParameter: Hashable, Sendable {
    /// The parameter's name.
    package let name: String

    /// The value, of the type that the catalog declares.
    package let value: ParameterValue

    /// Creates a bound parameter from its parts.
    package init(name: String, value: ParameterValue) {
        self.name = name
        self.value = value
    }

    /// Compares the names byte by byte, and the values.
    package static func == (left: BoundParameter, right: BoundParameter) -> Bool {
        left.name.bytewise == right.name.bytewise && left.value == right.value
    }

    /// Hashes the names byte by byte, and the values.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(name.bytewise)
        hasher.combine(value)
    }
}
