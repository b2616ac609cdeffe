/// Values that a parameter accepts, at the bounds of its type and of a type that replaces it.
package enum ValueExamples {
    /// The longest example text, even if a type allows more.
    private static let longestText = 256

    /// The longest example list, even if a type allows more.
    private static let longestList = 32

    /// Returns values of a type, the plainest first.
    ///
    /// If the other type differs, one of the values shows it in most cases.
    ///
    /// - Complexity: linear in the words of enumerations and the elements of patterns.
    package static func values(of type: ParameterType, beside other: ParameterType? = nil) -> [ParameterValue] {
        let candidates: [ParameterValue] =
            switch type {
            case .scalar(let type): scalars(type, beside: other?.scalar).map { .parse($0, as: type) }
            case .list(let item, let min, let max): lists(of: item, min: min, max: max, beside: other)
            case .object(let fields): objects(of: fields, beside: other?.fields ?? [])
            }
        var known: Set<ParameterValue> = []
        return candidates.filter { type.adopt($0) != nil && known.insert($0).inserted }
    }

    /// Returns a value that a type does not accept, or `nil` if every text fits.
    package static func unfit(for type: ParameterType) -> ParameterValue? {
        let value = ParameterValue.string("~")
        switch type {
        case .scalar(let scalar): return scalar.value(of: value.text) == nil ? value : nil
        case .list(let item, _, _): return item.value(of: value.text) == nil ? .list([value]) : nil
        case .object: return nil
        }
    }

    // MARK: Texts

    private static func scalars(_ type: ScalarType, beside other: ScalarType?) -> [String] {
        switch type {
        case .string(let min, let max, let pattern?):
            let texts = pattern.examples(beside: other?.pattern)
            // The length bounds apply beside the pattern.
            return texts
                + lengths(min, max: max, other: other).compactMap { length in texts.first { $0.count == length } }
        case .string(let min, let max, nil):
            let plain = String(repeating: "x", count: Int(Swift.max(1, min ?? 1)))
            let besides = (other?.pattern?.examples() ?? []) + others(other)
            let texts = [plain, "a b"] + besides + ["0", "é"]
            return texts + lengths(min, max: max, other: other).map { String(repeating: "x", count: $0) }
        case .int(let min, let max):
            let plain = Swift.min(Swift.max(1, min ?? 1), max ?? 1)
            var marks = [min, max].compactMap { $0 }
            if case .int(let low, let high)? = other {
                marks += [low, high].compactMap { $0 }.flatMap { [$0, $0 &- 1, $0 &+ 1] }
            }
            return ([plain] + marks + [0, Int64.max, Int64.min]).map(String.init)
        case .double(let min, let max):
            let plain = Swift.min(Swift.max(1, min ?? 1), max ?? 1)
            var marks = [min, max].compactMap { $0 }
            if case .double(let low, let high)? = other {
                marks += [low, high].compactMap { $0 }.flatMap { [$0, $0 - 0.5, $0 + 0.5] }
            }
            return ([plain] + marks + [0.5, -1e9, 1e9]).map { ParameterValue.double($0).text }
        case .bool: return ["true", "false"]
        case .uuid: return ["123e4567-e89b-12d3-a456-426614174000"]
        case .date: return ["2026-01-31", "2024-02-29"]
        case .dateTime: return ["2026-01-31T12:00:00Z"]
        case .enumeration(let words): return words.list
        }
    }

    /// Returns texts that another type accepts, to test a text type that replaces it.
    private static func others(_ type: ScalarType?) -> [String] {
        switch type {
        case nil, .string?: []
        case let type?: Array(scalars(type, beside: nil).prefix(2))
        }
    }

    private static func lengths(_ min: Int64?, max: Int64?, other: ScalarType?) -> [Int] {
        var lengths = [min, max].compactMap { $0 }
        if case .string(let low, let high, _)? = other {
            lengths += [low, high].compactMap { $0 }.flatMap { [$0, $0 - 1, $0 + 1] }
        }
        return lengths.filter { $0 > 0 && $0 <= longestText }.map { Int($0) }
    }

    // MARK: Lists and objects

    private static func lists(
        of item: ScalarType,
        min: Int64?,
        max: Int64?,
        beside other: ParameterType?
    ) -> [ParameterValue] {
        let items = values(of: .scalar(item), beside: other?.item.map { .scalar($0) })
        guard let plain = items.first else { return [] }
        let least = Swift.max(1, min ?? 1)
        var counts: [Int64] = [least, max ?? 2]
        if case .list(_, let low, let high)? = other {
            counts += [low, high].compactMap { $0 }.flatMap { [$0, $0 - 1, $0 + 1] }
        }
        let examples = counts.filter { $0 >= least && $0 <= longestList }
            .map { ParameterValue.list(Array(repeating: plain, count: Int($0))) }
        return examples + items.dropFirst().map { .list([$0] + Array(repeating: plain, count: Int(least - 1))) }
    }

    private static func objects(of fields: [Parameter], beside others: [Parameter]) -> [ParameterValue] {
        let values = fields.map { field in
            ValueExamples.values(
                of: field.type,
                beside: others.first { $0.identifier == field.identifier }?.type
            )
            .map { BoundParameter(name: field.name, value: $0) }
        }
        let needed = zip(fields, values).compactMap { $0.isRequired ? $1.first : nil }
        let all = values.compactMap { $0.first }
        var objects = [needed.isEmpty ? Array(all.prefix(1)) : needed, all]
        for (index, others) in values.enumerated() {
            for value in others.dropFirst() {
                objects.append(all.map { $0.name.bytewise == fields[index].name.bytewise ? value : $0 })
            }
        }
        return objects.filter { !$0.isEmpty }.map { .object($0) }
    }
}

extension ParameterValue {
    /// Parses an example text of a type, or returns a text that does not fit unchanged, to be dropped later.
    fileprivate static func parse(_ text: String, as type: ScalarType) -> ParameterValue {
        type.value(of: text) ?? .string(text)
    }
}

extension ParameterType {
    fileprivate var scalar: ScalarType? { if case .scalar(let type) = self { type } else { nil } }
    fileprivate var item: ScalarType? { if case .list(let type, _, _) = self { type } else { scalar } }
    fileprivate var fields: [Parameter]? { if case .object(let fields) = self { fields } else { nil } }
}
