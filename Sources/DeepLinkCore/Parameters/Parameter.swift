/// One typed parameter of a route, or one field of an object.
///
/// A parameter whose name stands in the path pattern is read from the path; any other from the query key
/// ``key``.
///
/// A class, like ``Edge``: handing one over counts one reference, not one for each of its parts.
public final class Parameter: Sendable {
    /// What reading an occurrence of a repeated key leaves for the destinations above.
    public enum Take: String, CaseIterable, Sendable {
        /// The occurrence is taken: the next reader gets the next one.
        case next

        /// The occurrence stays: the next reader gets the same one.
        case shared
    }

    /// The name under which clients receive the value.
    public let identifier: Identifier

    /// What values are accepted.
    public let type: ParameterType

    /// The query key that holds the value, unless the path does; for an object, what its fields' keys begin with.
    public let key: String

    /// Whether a link without the key is refused.
    public let isRequired: Bool

    /// The value of a link without the key.
    public let defaultValue: ParameterValue?

    /// What reading the key leaves for others.
    public let take: Take

    /// The value that every plan has and no link sets; `nil` where links set it.
    public let fixedValue: ParameterValue?

    /// Whether a value that does not fit is left unused, as if the link did not have it.
    public let ignoresInvalid: Bool

    /// Whether reading the parameter takes more than its key and its type.
    let isUnusual: Bool

    /// Whether no link sets the value.
    let isFixed: Bool

    /// The type, where it is one of those that are read faster.
    let plainType: PlainType

    /// Creates a parameter from its parts.
    public init(
        name: Identifier,
        type: ParameterType,
        key: String? = nil,
        isRequired: Bool = false,
        defaultValue: ParameterValue? = nil,
        take: Take = .next,
        fixedValue: ParameterValue? = nil,
        ignoresInvalid: Bool = false
    ) {
        identifier = name
        self.type = type
        self.key = key ?? name.text
        self.isRequired = isRequired
        self.defaultValue = defaultValue
        self.take = take
        self.fixedValue = fixedValue
        self.ignoresInvalid = ignoresInvalid
        isUnusual = fixedValue != nil || ignoresInvalid
        isFixed = fixedValue != nil
        plainType = if case .scalar(let type) = type { PlainType(type) } else { .other }
    }

    /// The text of the name.
    public var name: String { identifier.text }

    /// The query keys that the parameter reads.
    public var keys: [String] {
        guard !isFixed else { return [] }
        return if case .object(let fields) = type { fields.map(\.key) } else { [key] }
    }

    /// Returns whether the parameter reads a query key.
    func reads(_ key: String) -> Bool {
        guard !isFixed else { return false }
        return if case .object(let fields) = type {
            fields.contains { $0.key.bytewise == key.bytewise }
        } else {
            self.key.bytewise == key.bytewise
        }
    }

    /// The type of the single value that a key holds; `nil` where the parameter does not read the key.
    func type(ofKey key: String) -> ScalarType? {
        switch type {
        case .scalar(let type), .list(let type, _, _): self.key.bytewise == key.bytewise ? type : nil
        case .object(let fields): fields.lazy.compactMap { $0.type(ofKey: key) }.first
        }
    }

    /// The same parameter with another type.
    func with(type: ParameterType) -> Parameter {
        Parameter(
            name: identifier,
            type: type,
            key: key,
            isRequired: isRequired,
            defaultValue: defaultValue,
            take: take,
            fixedValue: fixedValue,
            ignoresInvalid: ignoresInvalid
        )
    }

    /// Puts values that a client sent into the order declared, with the defaults of those it left out.
    ///
    /// - Returns: `nil` where a value is of no declared parameter or does not fit, or a required one is missing.
    static func adopt(
        _ values: [BoundParameter],
        for parameters: [Parameter],
        isRequired: (Int) -> Bool
    ) -> [BoundParameter]? {
        // More than are declared cannot all be declared, however many there are.
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

    /// Finds a value by its name: at the place where the order declared has it, else wherever it stands.
    private static func value(
        named name: String,
        among values: [BoundParameter],
        expectedAt place: Int,
        _ others: inout [ByteText: Int]?
    ) -> BoundParameter? {
        if place < values.count, values[place].name.bytewise == name.bytewise { return values[place] }
        guard values.count > 4 else { return values.first { $0.name.bytewise == name.bytewise } }
        let known =
            others
            ?? Dictionary(values.indices.map { (values[$0].name.bytewise, $0) }, uniquingKeysWith: { one, _ in one })
        others = known
        return known[name.bytewise].map { values[$0] }
    }
}

extension Parameter: Hashable {
    /// Compares everything that is declared.
    public static func == (left: Parameter, right: Parameter) -> Bool {
        left === right
            || left.identifier == right.identifier && left.type == right.type
                && left.key.bytewise == right.key.bytewise
                && left.isRequired == right.isRequired && left.defaultValue == right.defaultValue
                && left.take == right.take && left.fixedValue == right.fixedValue
                && left.ignoresInvalid == right.ignoresInvalid
    }

    /// Hashes what tells most declarations apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
        hasher.combine(type)
        hasher.combine(key.bytewise)
    }
}
