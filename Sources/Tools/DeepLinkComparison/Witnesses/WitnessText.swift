import DeepLinkCore

/// The path and query of a link while it is written edge by edge.
///
/// It reads patterns by their text, so that it needs only the positions of parameters. The engine decides whether the
/// link has the intended meaning.
struct WitnessText {
    typealias Values = [ByteText: ParameterValue]

    /// The query pairs of a parameter with several keys.
    struct KeyedValues {
        /// The name of the parameter.
        let name: ByteText

        let pairs: [(key: String, value: ParameterValue)]
    }

    /// The name of a parameter with a value that is dropped.
    private static let anything = "_".bytewise

    /// The number of segments that fill a wildcard.
    enum Filling {
        /// As few as possible.
        case least

        /// One for an optional segment, and two if there may be several.
        case most
    }

    private var segments: [WitnessPath.Segment] = []
    private var pairs: [String] = []
    private var isPossible = true

    /// The path and query, or `nil` if a value was missing.
    var finished: WitnessPath? {
        guard isPossible else { return nil }
        return WitnessPath(segments, query: pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    /// Returns whether every link over an edge needs a value of a parameter.
    static func isNeeded(_ parameter: Parameter, on edge: Edge) -> Bool {
        if case .path(let pattern) = edge.address {
            let names = pattern.segments.filter { !$0.isOptional }.compactMap(\.parameterName)
            if names.contains(where: { $0.bytewise == parameter.name.bytewise }) { return true }
        }
        if let key = edge.queryKey, parameter.keys.contains(where: { $0.bytewise == key.bytewise }) { return true }
        return parameter.isRequired
    }

    /// Appends an edge, under its path or one of its aliases.
    mutating func append(
        _ edge: Edge,
        values: Values,
        alias: PathPattern? = nil,
        filling: Filling = .least,
        isPlus: Bool = false,
        keyed: KeyedValues? = nil
    ) {
        var inPath: Set<ByteText> = []
        if case .path(let pattern) = edge.address {
            let pattern = alias ?? pattern
            for segment in pattern.text.utf8.split(separator: UInt8(ascii: "/")) {
                append(segment: segment, values: values, filling: filling, inPath: &inPath)
            }
            for name in pattern.parameterNames { inPath.insert(name.bytewise) }
        }
        var hasKey = false
        for parameter in edge.parameters where !inPath.contains(parameter.name.bytewise) {
            if let keyed, keyed.name == parameter.name.bytewise {
                for pair in keyed.pairs { append(pair.value, under: pair.key) }
                continue
            }
            guard let value = values[parameter.name.bytewise] else { continue }
            if let key = edge.queryKey { hasKey = hasKey || parameter.keys.contains { $0.bytewise == key.bytewise } }
            append(value, of: parameter, isPlus: isPlus)
        }
        if let key = edge.queryKey, !hasKey { pairs.append(PercentEncoding.encode(key)) }
    }

    /// Appends one segment of a pattern with its parameters' values.
    private mutating func append(
        segment: Substring.UTF8View,
        values: Values,
        filling: Filling,
        inPath: inout Set<ByteText>
    ) {
        var text = ""
        var rest = segment[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "{")),
            let end = rest[start...].firstIndex(of: UInt8(ascii: "}"))
        {
            text += PercentEncoding.encode(literal: String(Substring(rest[..<start])))
            let name = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            let isOptional = name.last == UInt8(ascii: "?")
            let isRest = name.last == UInt8(ascii: "*")
            let key = String(Substring(isOptional || isRest ? name.dropLast() : name)).bytewise
            inPath.insert(key)
            switch values[key] {
            case .list(let items)?:
                segments += items.map { WitnessPath.Segment(text: PercentEncoding.encode($0.text), isFree: true) }
                return
            case let value?: text += PercentEncoding.encode(value.text)
            // A wildcard whose match is dropped has no value.
            case nil where key == Self.anything && (!isOptional || filling == .most):
                text += "x"
                if isRest, filling == .most { segments.append(WitnessPath.Segment(text: "x", isFree: true)) }
            // An optional segment is left out as a whole.
            case nil where isOptional: return
            case nil: isPossible = false
            }
        }
        let isFree = segment.first == UInt8(ascii: "{") && rest.isEmpty
        segments.append(
            WitnessPath.Segment(text: text + PercentEncoding.encode(literal: String(Substring(rest))), isFree: isFree)
        )
    }

    private mutating func append(_ value: ParameterValue, of parameter: Parameter, isPlus: Bool) {
        switch (value, parameter.type) {
        case (.object(let given), .object(let fields)):
            for field in fields {
                guard let part = given.first(where: { $0.name.bytewise == field.name.bytewise }) else { continue }
                append(part.value, of: field, isPlus: false)
            }
        case (.list(let items), _) where parameter.separator != nil:
            let text = parameter.separator.map { PercentEncoding.encode(items.map(\.text), separator: $0) } ?? ""
            pairs.append(PercentEncoding.encode(parameter.key) + "=" + text)
        case (.list(let items), _):
            for item in items {
                append(item, under: parameter.key)
            }
        case (.string, .scalar(.string(min: _, max: _, pattern: nil))) where isPlus:
            pairs.append(PercentEncoding.encode(parameter.key) + "=a+b")
        default: append(value, under: parameter.key)
        }
    }

    private mutating func append(_ value: ParameterValue, under key: String) {
        pairs.append(PercentEncoding.encode(key) + "=" + PercentEncoding.encode(value.text))
    }
}
