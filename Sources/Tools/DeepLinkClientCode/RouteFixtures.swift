package import DeepLinkCore

/// A catalog's destinations in the format of the service, for the tests of an app.
///
/// Each edge, of a group once, appears with all values and with as few as possible.
package struct RouteFixtures {
    private let catalog: RouteCatalog

    /// Creates the fixtures of a catalog.
    package init(_ catalog: RouteCatalog) {
        self.catalog = catalog
    }

    /// The file: an object with `catalogVersion` and `destinations`, one per line.
    package var file: GeneratedFile {
        var lines: [String] = []
        for edge in catalog.declaredEdges {
            let name = catalog.routes[edge.child].name
            let all = edge.parameters.map { parameter in
                BoundParameter(name: parameter.name, value: parameter.fixedValue ?? Self.sample(of: parameter.type))
            }
            let needed = edge.parameters.indices.filter { edge.alwaysHas(parameter: $0) }.map { all[$0] }
            for parameters in needed.count == all.count ? [all] : [all, needed] {
                var writer = JSONWriter()
                writer.stack([Destination(route: name, presentation: edge.presentation, parameters: parameters)])
                let line = String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self)
                if lines.last != line { lines.append(line) }
            }
        }
        var version = JSONWriter()
        version.string(catalog.version)
        let text =
            "{\"catalogVersion\":\(String(decoding: version.bytes, as: UTF8.self)),\"destinations\":[\n"
            + lines.joined(separator: ",\n") + "\n]}\n"
        return GeneratedFile(name: "routes.fixtures.json", text: text)
    }

    /// Returns a value of a type, without matching the patterns of strings, because only the server checks them.
    private static func sample(of type: ParameterType) -> ParameterValue {
        switch type {
        case .scalar(let type): sample(of: type)
        case .list(let type, let min, _): .list(Array(repeating: sample(of: type), count: Int(max(min ?? 1, 1))))
        case .object(let fields):
            .object(fields.map { BoundParameter(name: $0.name, value: sample(of: $0.type)) })
        }
    }

    private static func sample(of type: ScalarType) -> ParameterValue {
        switch type {
        case .string: .string("text \"\\ é")
        case .int(let min, let max): .int(min ?? max ?? 42)
        case .double(let min, let max): .double(min ?? max ?? 1.5)
        case .bool: .bool(true)
        case .uuid: .string("00112233-4455-6677-8899-aabbccddeeff")
        case .date: .string("2026-02-28")
        case .dateTime: .string("2026-02-28T12:00:00Z")
        case .enumeration(let words): .string(words.last ?? "")
        }
    }
}
