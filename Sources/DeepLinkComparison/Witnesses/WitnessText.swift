import DeepLinkCore

/// The path and query of a link while it is written edge by edge.
///
/// It reads patterns by their text, so that it needs to know of them no more than where a parameter stands; whether the
/// link means what it should is for the engine to say.
struct WitnessText {
    typealias Values = [ByteText: ParameterValue]

    /// The name of a parameter whose value is dropped.
    private static let anything = "_".bytewise

    private var path = ""
    private var pairs: [String] = []
    private var isPossible = true

    /// The text; `nil` where a value was missing.
    var finished: String? {
        guard isPossible else { return nil }
        return (path.isEmpty ? "/" : path) + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    /// Returns whether no link leads over an edge without a value of a parameter.
    static func isNeeded(_ parameter: Parameter, on edge: Edge) -> Bool {
        if case .path(let pattern) = edge.address {
            let names = pattern.segments.filter { !$0.isOptional }.compactMap(\.parameterName)
            if names.contains(where: { $0.bytewise == parameter.name.bytewise }) { return true }
        }
        if let key = edge.queryKey, parameter.keys.contains(where: { $0.bytewise == key.bytewise }) { return true }
        return parameter.isRequired
    }

    /// Appends an edge, under its path or one of its aliases.
    mutating func append(_ edge: Edge, _ values: Values, alias: PathPattern? = nil, isPlus: Bool = false) {
        var inPath: Set<ByteText> = []
        if case .path(let pattern) = edge.address {
            let pattern = alias ?? pattern
            for segment in pattern.text.utf8.split(separator: UInt8(ascii: "/")) {
                append(segment: segment, values, &inPath)
            }
            for name in pattern.parameterNames { inPath.insert(name.bytewise) }
        }
        var hasKey = false
        for parameter in edge.parameters where !inPath.contains(parameter.name.bytewise) {
            guard let value = values[parameter.name.bytewise] else { continue }
            if let key = edge.queryKey { hasKey = hasKey || parameter.keys.contains { $0.bytewise == key.bytewise } }
            append(value, of: parameter, isPlus: isPlus)
        }
        if let key = edge.queryKey, !hasKey { pairs.append(PercentEncoding.encode(key)) }
    }

    /// Appends one segment of a pattern with its parameters' values in their places.
    private mutating func append(segment: Substring.UTF8View, _ values: Values, _ inPath: inout Set<ByteText>) {
        var text = ""
        var rest = segment[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "{")),
            let end = rest[start...].firstIndex(of: UInt8(ascii: "}"))
        {
            text += PercentEncoding.encode(String(Substring(rest[..<start])))
            let name = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            let isOptional = name.last == UInt8(ascii: "?")
            let isMarked = isOptional || name.last == UInt8(ascii: "*")
            let key = String(Substring(isMarked ? name.dropLast() : name)).bytewise
            inPath.insert(key)
            switch values[key] {
            case .list(let items)?: text += items.map { PercentEncoding.encode($0.text) }.joined(separator: "/")
            case let value?: text += PercentEncoding.encode(value.text)
            // A segment that may be left out is left out whole.
            case nil where isOptional: return
            // What matches anything and is dropped has no value.
            case nil where key == Self.anything: text += "x"
            case nil: isPossible = false
            }
        }
        path += "/" + text + PercentEncoding.encode(String(Substring(rest)))
    }

    private mutating func append(_ value: ParameterValue, of parameter: Parameter, isPlus: Bool) {
        switch (value, parameter.type) {
        case (.object(let given), .object(let fields)):
            for field in fields {
                guard let part = given.first(where: { $0.name.bytewise == field.name.bytewise }) else { continue }
                append(part.value, of: field, isPlus: false)
            }
        case (.list(let items), _):
            for item in items {
                pairs.append(PercentEncoding.encode(parameter.key) + "=" + PercentEncoding.encode(item.text))
            }
        case (.string, .scalar(.string(min: _, max: _, pattern: nil))) where isPlus:
            pairs.append(PercentEncoding.encode(parameter.key) + "=a+b")
        default: pairs.append(PercentEncoding.encode(parameter.key) + "=" + PercentEncoding.encode(value.text))
        }
    }
}
