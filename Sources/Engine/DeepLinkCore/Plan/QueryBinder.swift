/// The query pairs of one link, bound to the destinations of its stack in order.
///
/// A pair that a destination consumes is hidden from the destinations above. A pair that it only reads is not.
struct QueryBinder {
    let link: DeepLink
    private let plusIsSpace: Bool
    private let pairs: ShortList<LinkPair>

    /// The consumed pairs and the read pairs, a bit each for at most 128 pairs.
    private var taken: UInt128 = 0
    private var used: UInt128 = 0

    /// The pairs of each name, or `nil` if they are few enough for a linear search.
    private let pairsByName: [ByteText: UInt128]?

    /// The last shared value of each parameter, with the pairs from which it was read.
    private var sharedValues: [ObjectIdentifier: (open: UInt128, value: ParameterValue)] = [:]

    /// The maximum number of pairs that are searched linearly.
    private static let maximumScanCount = 8

    init(_ link: DeepLink, plusIsSpace: Bool) {
        self.link = link
        self.plusIsSpace = plusIsSpace
        let pairs = link.pairRanges
        self.pairs = pairs
        guard pairs.count > Self.maximumScanCount else {
            pairsByName = nil
            return
        }
        var pairsByName: [ByteText: UInt128] = [:]
        for index in pairs.indices {
            let range = pairs[index].name
            let name = PercentEncoding.decode(link.bytes[range.start..<range.end], plusIsSpace: plusIsSpace)
            pairsByName[name.bytewise, default: 0] |= Self.bit(index)
        }
        self.pairsByName = pairsByName
    }

    /// Whether the query is empty.
    var isEmpty: Bool { pairs.isEmpty }

    /// Returns the first occurrence of a key that no destination has consumed.
    func next(_ key: String) -> LinkPair? {
        index(of: key).map { pairs[$0] }
    }

    /// Returns the index of the first pair of a key that no destination has consumed.
    func index(of key: String) -> Int? {
        guard pairsByName != nil else { return pairs.indices.first { isOpen($0, key: key) } }
        return Self.first(of: open(key))
    }

    /// Returns the pairs of a key that no destination has consumed, a bit each.
    private func open(_ key: String) -> UInt128 { named(key) & ~taken }

    /// Returns the pairs of a key, a bit each.
    func named(_ key: String) -> UInt128 {
        if let pairsByName { return pairsByName[key.bytewise] ?? 0 }
        return pairs.indices.reduce(0) { $0 | (isNamed(pairs[$1], key: key) ? Self.bit($1) : 0) }
    }

    /// Returns the pairs that a parameter reads, a bit each.
    func named(_ parameter: Parameter) -> UInt128 {
        guard !parameter.isFixed else { return 0 }
        return if case .object(let fields) = parameter.type {
            fields.reduce(0) { $0 | named($1.key) }
        } else {
            parameter.otherKeys.isEmpty
                ? named(parameter.key) : parameter.keys.reduce(0) { $0 | named($1) }
        }
    }

    /// Returns the lowest index in a set of pairs.
    static func first(of bits: UInt128) -> Int? { bits == 0 ? nil : bits.trailingZeroBitCount }

    /// The names of the pairs that no destination has consumed, each once.
    var openNames: [ByteText] {
        if let pairsByName { return pairsByName.filter { $0.value & ~taken != 0 }.map { $0.key } }
        let names = pairs.indices.filter { taken & Self.bit($0) == 0 }.map { decode(pairs[$0].name).bytewise }
        return Array(Set(names))
    }

    /// Returns the pair at an index.
    func pair(_ index: Int) -> LinkPair { pairs[index] }

    /// Returns whether a type accepts the value of a pair.
    func fits(_ pair: LinkPair, type: ScalarType) -> Bool {
        guard let value = pair.value else { return type.bareValue != nil }
        return type.parse(decoded(value)) != nil
    }

    /// The pairs that no destination has used, a bit each.
    var unused: UInt128 { (pairs.count == 128 ? ~0 : Self.bit(pairs.count) - 1) & ~used }

    /// Consumes a pair, even if a destination has only read it.
    mutating func take(_ index: Int) { use(index, take: .next) }

    /// Reads the value of a parameter, or returns `nil` if it is optional and the link does not have it.
    ///
    /// - Throws: ``ValueError`` for a value that does not fit, or a missing required one.
    mutating func value(of parameter: Parameter) throws(ValueError) -> ParameterValue? {
        guard parameter.isUnusual else { return try usualValue(of: parameter) }
        return try unusualValue(of: parameter)
    }

    /// Reads a value that no link sets, that is ignored if it does not fit, or that several keys may hold.
    private mutating func unusualValue(of parameter: Parameter) throws(ValueError) -> ParameterValue? {
        if let value = parameter.fixedValue { return value }
        let before = (taken, used)
        do throws(ValueError) {
            return try parameter.otherKeys.isEmpty ? usualValue(of: parameter) : valueOfFirstKey(of: parameter)
        } catch {
            guard parameter.ignoresInvalid else { throw error }
            // The next reader of the key may accept the value that does not fit here.
            (taken, used) = before
            return parameter.defaultValue
        }
    }

    @inline(__always)
    private mutating func usualValue(of parameter: Parameter) throws(ValueError) -> ParameterValue? {
        if let value = sharedValue(of: parameter) { return value }
        let before = parameter.take == .shared ? named(parameter) & ~taken : 0
        let value: ParameterValue?
        switch parameter.type {
        case .scalar(let type): value = try scalar(parameter, type: type)
        case .list(let type, _, _): value = try list(parameter, type: type)
        case .object(let fields): value = try object(parameter, fields: fields)
        }
        if let value {
            if parameter.take == .shared { sharedValues[ObjectIdentifier(parameter)] = (before, value) }
            return value
        }
        guard parameter.isRequired else { return parameter.defaultValue }
        throw missing(parameter.name, type: parameter.type)
    }

    /// Reads a single value from the first of its keys that the link has.
    private mutating func valueOfFirstKey(of parameter: Parameter) throws(ValueError) -> ParameterValue? {
        if let value = sharedValue(of: parameter) { return value }
        let before = parameter.take == .shared ? named(parameter) & ~taken : 0
        guard case .scalar(let type) = parameter.type,
            let index = firstIndex(of: parameter)
        else {
            guard parameter.isRequired else { return parameter.defaultValue }
            throw missing(parameter.name, type: parameter.type)
        }
        use(index, take: parameter.take)
        let value = try parse(pairs[index], type: type, name: parameter.name)
        if parameter.take == .shared { sharedValues[ObjectIdentifier(parameter)] = (before, value) }
        return value
    }

    /// Returns the index of the pair that holds a single value: the first of its keys in the link counts.
    private func firstIndex(of parameter: Parameter) -> Int? {
        if let index = index(of: parameter.key) { return index }
        for key in parameter.otherKeys {
            if let index = index(of: key) { return index }
        }
        return nil
    }

    /// Returns the value that was last read for the same parameter, if the same pairs are left.
    private func sharedValue(of parameter: Parameter) -> ParameterValue? {
        guard parameter.take == .shared, let known = sharedValues[ObjectIdentifier(parameter)],
            known.open == named(parameter) & ~taken
        else { return nil }
        return known.value
    }

    /// The pairs that no destination has used.
    var unusedPairs: [LinkPair] {
        guard used.nonzeroBitCount < pairs.count else { return [] }
        return pairs.indices.filter { used & Self.bit($0) == 0 }.map { pairs[$0] }
    }

    /// Returns a pair, decoded.
    func item(_ pair: LinkPair) -> QueryItem {
        QueryItem(name: decode(pair.name), value: pair.value.map(decode))
    }

    /// Returns whether a pair's name is a key.
    func isNamed(_ pair: LinkPair, key: String) -> Bool {
        guard !pair.isNameEncoded else { return decoded(pair.name).elementsEqual(key.utf8) }
        return key.utf8.withBytes { key in
            guard pair.name.count == key.count else { return false }
            for offset in 0..<key.count where link.bytes[pair.name.start + offset] != key[offset] { return false }
            return true
        }
    }

    /// Returns whether a pair has a key as its name, and no destination has consumed it.
    private func isOpen(_ index: Int, key: String) -> Bool {
        taken & Self.bit(index) == 0 && isNamed(pairs[index], key: key)
    }

    private static func bit(_ index: Int) -> UInt128 { 1 << UInt128(index) }

    // MARK: Types

    private mutating func scalar(_ parameter: Parameter, type: ScalarType) throws(ValueError) -> ParameterValue? {
        guard let index = index(of: parameter.key) else { return nil }
        use(index, take: parameter.take)
        return try parse(pairs[index], type: type, name: parameter.name)
    }

    private mutating func list(_ parameter: Parameter, type: ScalarType) throws(ValueError) -> ParameterValue? {
        var rest = open(parameter.key)
        guard let first = Self.first(of: rest) else { return nil }
        var items: [ParameterValue] = []
        while let index = Self.first(of: rest) {
            rest &= rest - 1
            use(index, take: parameter.take)
            guard let separator = parameter.separator, let value = pairs[index].value else {
                items.append(try parse(pairs[index], type: type, name: parameter.name))
                continue
            }
            for part in parts(of: value, between: separator) {
                items.append(try parse(part, type: type, name: parameter.name))
            }
        }
        guard items.count <= DeepLink.maximumPairCount else {
            throw ValueError(
                parameter: parameter.name,
                value: "\(items.count) values",
                expected: "at most \(DeepLink.maximumPairCount) values",
                range: pairs[first].value ?? pairs[first].name
            )
        }
        guard parameter.type.accepts(count: items.count) else {
            throw ValueError(
                parameter: parameter.name,
                value: ParameterValue.list(items).text,
                expected: parameter.type.expectation,
                range: LinkRange(pairs[first].name.start, (pairs[first].value ?? pairs[first].name).end)
            )
        }
        return .list(items)
    }

    /// Reads all required fields or none: if the link has one field, the others are required as declared.
    private mutating func object(
        _ parameter: Parameter,
        fields: [Parameter]
    ) throws(ValueError) -> ParameterValue? {
        guard fields.contains(where: { index(of: $0.key) != nil }) else { return nil }
        var bound: [BoundParameter] = []
        for field in fields {
            guard case .scalar(let type) = field.type else { continue }
            let name = "\(parameter.name).\(field.name)"
            var value = field.defaultValue
            if let index = index(of: field.key) {
                use(index, take: parameter.take)
                value = try parse(pairs[index], type: type, name: name)
            } else if field.isRequired {
                throw missing(name, type: field.type)
            }
            if let value { bound.append(BoundParameter(name: field.name, value: value)) }
        }
        return .object(bound)
    }

    private func parse(_ pair: LinkPair, type: ScalarType, name: String) throws(ValueError) -> ParameterValue {
        guard let range = pair.value else {
            if let value = type.bareValue { return value }
            throw ValueError(
                parameter: name,
                value: nil,
                isBare: true,
                expected: type.expectation,
                range: LinkRange(pair.name.end, pair.name.end)
            )
        }
        return try parse(range, type: type, name: name)
    }

    private func parse(_ range: LinkRange, type: ScalarType, name: String) throws(ValueError) -> ParameterValue {
        if let value = plainText(range, type: type) ?? type.parse(decoded(range)) { return value }
        let value = decode(range)
        throw ValueError(
            parameter: name,
            value: value,
            expected: type.expectation(insteadOf: value),
            range: range
        )
    }

    /// Reads a value of any text, if it needs no decoding, or returns `nil` if it needs the full parser.
    private func plainText(_ range: LinkRange, type: ScalarType) -> ParameterValue? {
        guard case .string(nil, nil, nil) = type else { return nil }
        let bytes = link.bytes[range.start..<range.end]
        for byte in bytes where byte == ASCII.percent || (byte == ASCII.plus && plusIsSpace) { return nil }
        return .string(String(decoding: bytes, as: UTF8.self))
    }

    /// Splits the value of a pair as it is sent, at encoded separators only without a raw one (decision record 51).
    private func parts(of value: LinkRange, between separator: UInt8) -> [LinkRange] {
        var (raw, encoded): ([LinkRange], [LinkRange]) = ([], [])
        var (rawStart, encodedStart, index) = (value.start, value.start, value.start)
        while index < value.end {
            let isEncoded = link.bytes[index] == ASCII.percent
            let next = isEncoded ? index + 3 : index + 1
            if !isEncoded, link.bytes[index] == separator {
                raw.append(LinkRange(rawStart, index))
                rawStart = next
            } else if isEncoded, DecodedBytes(link.bytes[index..<next]).elementsEqual([separator]) {
                encoded.append(LinkRange(encodedStart, index))
                encodedStart = next
            }
            index = next
        }
        return raw.isEmpty ? encoded + [LinkRange(encodedStart, value.end)] : raw + [LinkRange(rawStart, value.end)]
    }

    private func missing(_ name: String, type: ParameterType) -> ValueError {
        let end = link.spans.query.isEmpty ? link.spans.path.end : link.spans.query.end
        return ValueError(
            parameter: name,
            value: nil,
            expected: type.expectation,
            range: LinkRange(end, end)
        )
    }

    // MARK: Pairs

    private mutating func use(_ index: Int, take: Parameter.Take) {
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
