package import DeepLinkCore

/// The types of generated code for the values of a catalog's routes, with which published apps read plans.
package struct GeneratedTypes: Sendable {
    /// A value of a destination that the code cannot read.
    package struct Fault: Hashable, Sendable {
        /// The reason why the code cannot read a value.
        package enum Reason: Hashable, Sendable {
            /// The code requires a value, and the destination doesn't have it.
            case missing

            /// The value is of another kind.
            case otherKind

            /// The value is a word that the code does not know.
            case unknownWord
        }

        /// The name of the parameter with the value.
        package let parameter: ByteText

        /// The reason why it cannot be read.
        package let reason: Reason

        /// Creates a fault from its parts.
        package init(parameter: ByteText, reason: Reason) {
            self.parameter = parameter
            self.reason = reason
        }
    }

    /// The parameters of each route, by its name.
    private let routes: [ByteText: [MergedParameter]]

    /// Derives the types from a catalog.
    ///
    /// - Complexity: linear in the edges and their parameters.
    package init(_ catalog: RouteCatalog) {
        var edges = [[Edge]](repeating: [], count: catalog.routes.count)
        for edge in catalog.declaredEdges { edges[edge.child].append(edge) }
        routes = Dictionary(
            zip(catalog.routes, edges).map { ($0.name.bytewise, MergedParameter.all(of: $1) { _, _ in }) },
            uniquingKeysWith: { one, _ in one }
        )
    }

    /// Returns whether every value of a route has a parameter.
    package func requires(_ parameter: ByteText, of route: ByteText) -> Bool {
        routes[route]?.contains { $0.name.bytewise == parameter && $0.isThere } ?? false
    }

    /// Returns the values of a destination that the code cannot read, or none for an unknown route.
    ///
    /// - Complexity: linear in the parameters and the size of their values.
    package func faults(in destination: Destination) -> [Fault] {
        (routes[destination.route.bytewise] ?? [])
            .compactMap { parameter in
                let name = parameter.name.bytewise
                guard let value = destination.parameters.first(where: { $0.name.bytewise == name })?.value else {
                    return parameter.isThere ? Fault(parameter: name, reason: .missing) : nil
                }
                return parameter.type.fault(in: value).map { Fault(parameter: name, reason: $0) }
            }
    }
}

extension ValueShape {
    /// Returns the reason why a value cannot be read, or `nil` if it can.
    fileprivate func fault(in value: ParameterValue) -> GeneratedTypes.Fault.Reason? {
        switch (self, value) {
        case (.any, _), (.text, .string), (.int, .int), (.double, .double), (.double, .int), (.bool, .bool): nil
        case (.uuid, .string(let text)): ScalarType.uuid.value(of: text) == nil ? .otherKind : nil
        case (.date, .string(let text)): ScalarType.date.value(of: text) == nil ? .otherKind : nil
        case (.dateTime, .string(let text)): ScalarType.dateTime.value(of: text) == nil ? .otherKind : nil
        case (.words(let words), .string(let text)): words.contains(bytes: text) ? nil : .unknownWord
        case (.list(let element), .list(let items)): items.lazy.compactMap { element.fault(in: $0) }.first
        case (.object(let fields), .object(let values)):
            fields.lazy
                .compactMap { field in
                    guard let value = values.first(where: { $0.name.bytewise == field.name.bytewise }) else {
                        return field.isAlwaysThere ? .missing : nil
                    }
                    return field.type.fault(in: value.value)
                }
                .first
        default: .otherKind
        }
    }
}
