/// Hands the query pairs of one link to the destinations of its stack, in order.
///
/// An occurrence of a key that one destination takes is gone for those above it; one that is only read stays.
struct QueryBinder {
    let link: DeepLink
    private let plusIsSpace: Bool
    private let pairs: ShortList<LinkPair>

    /// A bit for each pair that a destination has taken, and for each that one has read: there are 128 at most.
    private var taken: UInt128 = 0
    private var used: UInt128 = 0

    init(_ link: DeepLink, plusIsSpace: Bool) {
        self.link = link
        self.plusIsSpace = plusIsSpace
        pairs = link.pairRanges
    }

    /// Whether the link has no pair.
    var isEmpty: Bool { pairs.isEmpty }

    /// The first occurrence of a key that no destination has taken.
    func next(_ key: String) -> LinkPair? {
        index(of: key).map { pairs[$0] }
    }

    /// The number of the first pair of a key that no destination has taken.
    func index(of key: String) -> Int? {
        pairs.indices.first { isOpen($0, key) }
    }

    /// Takes a pair, whoever has read it.
    mutating func take(_ index: Int) { use(index, .next) }

    /// Reads the value of a parameter; `nil` where it is optional and the link does not have it.
    ///
    /// - Throws: ``InvalidValue``, for a value that does not fit, or a required one that is missing.
    mutating func value(of parameter: Parameter) throws(InvalidValue) -> ParameterValue? {
        let value: ParameterValue?
        switch parameter.type {
        case .scalar(let type): value = try scalar(parameter, type)
        case .list(let type, _, _): value = try list(parameter, type)
        case .object(let fields): value = try object(parameter, fields)
        }
        if let value { return value }
        guard parameter.isRequired else { return parameter.defaultValue }
        throw missing(parameter.name, parameter.type)
    }

    /// The pairs that no destination has used.
    var unusedPairs: [LinkPair] {
        guard used.nonzeroBitCount < pairs.count else { return [] }
        return pairs.indices.filter { used & Self.bit($0) == 0 }.map { pairs[$0] }
    }

    /// A pair, decoded.
    func item(_ pair: LinkPair) -> QueryItem {
        QueryItem(name: decode(pair.name), value: pair.value.map(decode))
    }

    /// Tells whether a pair's name is a key.
    func isNamed(_ pair: LinkPair, _ key: String) -> Bool {
        guard !pair.isNameEncoded else { return decoded(pair.name).elementsEqual(key.utf8) }
        let key = key.utf8.span
        guard pair.name.count == key.count else { return false }
        for offset in 0..<key.count where link.bytes[pair.name.start + offset] != key[offset] { return false }
        return true
    }

    /// Tells whether a pair is named by a key, and no destination has taken it.
    private func isOpen(_ index: Int, _ key: String) -> Bool {
        taken & Self.bit(index) == 0 && isNamed(pairs[index], key)
    }

    private static func bit(_ index: Int) -> UInt128 { 1 << UInt128(index) }

    // MARK: Types

    private mutating func scalar(_ parameter: Parameter, _ type: ScalarType) throws(InvalidValue) -> ParameterValue? {
        guard let index = index(of: parameter.key) else { return nil }
        use(index, parameter.take)
        return try parse(pairs[index], type, parameter.name)
    }

    private mutating func list(_ parameter: Parameter, _ type: ScalarType) throws(InvalidValue) -> ParameterValue? {
        let indexes = pairs.indices.filter { isOpen($0, parameter.key) }
        guard let first = indexes.first else { return nil }
        var items: [ParameterValue] = []
        for index in indexes {
            use(index, parameter.take)
            items.append(try parse(pairs[index], type, parameter.name))
        }
        guard parameter.type.accepts(count: items.count) else {
            throw InvalidValue(
                parameter: parameter.name,
                value: ParameterValue.list(items).text,
                expected: parameter.type.expectation,
                offset: pairs[first].name.start
            )
        }
        return .list(items)
    }

    /// Reads all required fields or none: one field in the link makes the others count as asked for.
    private mutating func object(
        _ parameter: Parameter,
        _ fields: [Parameter]
    ) throws(InvalidValue) -> ParameterValue? {
        guard fields.contains(where: { index(of: $0.key) != nil }) else { return nil }
        var bound: [BoundParameter] = []
        for field in fields {
            guard case .scalar(let type) = field.type else { continue }
            let name = "\(parameter.name).\(field.name)"
            var value = field.defaultValue
            if let index = index(of: field.key) {
                use(index, parameter.take)
                value = try parse(pairs[index], type, name)
            } else if field.isRequired {
                throw missing(name, field.type)
            }
            if let value { bound.append(BoundParameter(name: field.name, value: value)) }
        }
        return .object(bound)
    }

    private func parse(_ pair: LinkPair, _ type: ScalarType, _ name: String) throws(InvalidValue) -> ParameterValue {
        guard let range = pair.value else {
            if let value = type.bareValue { return value }
            throw InvalidValue(
                parameter: name,
                value: nil,
                isBare: true,
                expected: type.expectation,
                offset: pair.name.end
            )
        }
        if let value = plainText(range, type) ?? type.parse(decoded(range)) { return value }
        throw InvalidValue(
            parameter: name,
            value: decode(range),
            expected: type.expectation,
            offset: range.start
        )
    }

    /// Reads a value that is any text, as it stands; `nil` where it takes a closer look.
    private func plainText(_ range: LinkRange, _ type: ScalarType) -> ParameterValue? {
        guard case .string(nil, nil, nil) = type else { return nil }
        let bytes = link.bytes[range.start..<range.end]
        for byte in bytes where byte == ASCII.percent || (byte == ASCII.plus && plusIsSpace) { return nil }
        return .string(String(decoding: bytes, as: UTF8.self))
    }

    private func missing(_ name: String, _ type: ParameterType) -> InvalidValue {
        InvalidValue(
            parameter: name,
            value: nil,
            expected: type.expectation,
            offset: link.spans.query.isEmpty ? link.spans.path.end : link.spans.query.end
        )
    }

    // MARK: Pairs

    private mutating func use(_ index: Int, _ take: Parameter.Take) {
        used |= Self.bit(index)
        if take == .next { taken |= Self.bit(index) }
    }

    private func decoded(_ range: LinkRange) -> DecodedBytes {
        DecodedBytes(link.bytes[range.start..<range.end], plusIsSpace: plusIsSpace)
    }

    private func decode(_ range: LinkRange) -> String {
        PercentEncoding.decode(link.bytes[range.start..<range.end], plusIsSpace: plusIsSpace)
    }
}
