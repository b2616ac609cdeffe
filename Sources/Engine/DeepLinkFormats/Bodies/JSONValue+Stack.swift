package import DeepLinkCore

extension JSONValue {
    /// The maximum number of destinations in a stack.
    ///
    /// A route appears at most 64 times, and a link adds at most as many destinations as it has segments and query
    /// keys.
    private static let maximumStackCount = 1024

    /// Reads a navigation stack in the format of plans, in which `parameters` may be absent if empty.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, naming `field` and the element.
    package func stack(field: String) throws(Problem) -> [Destination] {
        guard case .array(let items) = self else {
            throw .wrongType(field: field, detail: "`\(field)` is \(typeInWords); send an array.")
        }
        var stack: [Destination] = []
        guard items.count <= Self.maximumStackCount else {
            throw .invalidValue(
                field: field,
                detail: "`\(field)` has \(items.count) destinations; at most \(Self.maximumStackCount) are read."
            )
        }
        for (index, item) in items.enumerated() {
            stack.append(try item.destination(name: "\(field)[\(index)]", field: field))
        }
        return stack
    }

    private func destination(name: String, field: String) throws(Problem) -> Destination {
        guard case .object(let members) = self else {
            throw .wrongType(field: field, detail: "`\(name)` is \(typeInWords); send an object.")
        }
        let keys: [ByteText] = ["route", "presentation", "parameters"]
        if let unknown = members.first(where: { !keys.contains($0.name) })?.name {
            throw .unknown(
                field: field,
                detail:
                    "`\(name)` has the key `\(unknown)`; there are \(keys.map { $0.string }.joined(separator: ", "))."
            )
        }
        guard case .string(let route)? = members["route"], case .string(let text)? = members["presentation"] else {
            throw .missing(field: field, detail: "`\(name)` has no `route` or no `presentation`; both are strings.")
        }
        guard let presentation = Presentation(name: text) else {
            throw .invalidValue(
                field: field,
                detail:
                    "`\(text)` in `\(name)` isn't a presentation; there are \(Presentation.allNames.joined(separator: ", "))."
            )
        }
        let parameters = try members["parameters"]?.parameters(field: field, name: "`parameters` in `\(name)`")
        return Destination(route: route, presentation: presentation, parameters: parameters ?? [])
    }

    /// Reads the values of a destination.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, naming `field`. Its message calls the value `name`.
    package func parameters(field: String, name: String) throws(Problem) -> [BoundParameter] {
        guard case .object(let members) = self, let bound = Self.parameters(members) else {
            throw .wrongType(
                field: field,
                detail: "\(name) isn't an object of strings, numbers, truth values, arrays and objects."
            )
        }
        return bound
    }

    /// Reads named values.
    ///
    /// They follow the order of the JSON, and are put into the catalog's order later.
    private static func parameters(_ object: JSONObject) -> [BoundParameter]? {
        var bound: [BoundParameter] = []
        for (name, value) in object {
            guard let value = value.parameterValue else { return nil }
            bound.append(BoundParameter(name: name.string, value: value))
        }
        return bound
    }

    private var parameterValue: ParameterValue? {
        switch self {
        case .null: return nil
        case .bool(let flag): return .bool(flag)
        case .integer(let number): return .int(number)
        case .number(let number): return .double(number)
        case .string(let text): return .string(text)
        case .array(let items):
            var values: [ParameterValue] = []
            for item in items {
                guard let value = item.parameterValue else { return nil }
                values.append(value)
            }
            return .list(values)
        case .object(let members): return Self.parameters(members).map { .object($0) }
        }
    }
}
