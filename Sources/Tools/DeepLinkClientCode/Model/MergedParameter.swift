import DeepLinkCore

/// One parameter of a route, merged over all edges to the route.
struct MergedParameter: Sendable {
    let name: String
    var type: ValueShape
    var edgeCount: Int
    var isThere: Bool
    var defaultValue: ParameterValue?

    /// Merges the parameters of all edges to a route.
    ///
    /// - Parameters:
    ///   - edges: the edges.
    ///   - report: called for each parameter with types that cannot be merged.
    /// - Returns: one parameter for each name.
    /// - Complexity: linear in the parameters of the edges.
    static func all(of edges: [Edge], reportingMixed report: (Edge, Parameter) -> Void) -> [MergedParameter] {
        var merged: [MergedParameter] = []
        var places: [ByteText: Int] = [:]
        for edge in edges {
            for (index, parameter) in edge.parameters.enumerated() {
                let type = ValueShape(parameter.type)
                let isThere = edge.alwaysHas(parameter: index)
                guard let place = places[parameter.name.bytewise] else {
                    places[parameter.name.bytewise] = merged.count
                    merged.append(
                        MergedParameter(
                            name: parameter.name,
                            type: type,
                            edgeCount: 1,
                            isThere: isThere,
                            defaultValue: parameter.fixedValue ?? parameter.defaultValue
                        )
                    )
                    continue
                }
                let union = merged[place].type.union(type)
                if union == nil { report(edge, parameter) }
                merged[place].type = union ?? .any
                merged[place].edgeCount += 1
                merged[place].isThere = merged[place].isThere && isThere
                if merged[place].defaultValue != parameter.fixedValue ?? parameter.defaultValue {
                    merged[place].defaultValue = nil
                }
            }
        }
        for index in merged.indices where merged[index].edgeCount < edges.count {
            merged[index].isThere = false
            merged[index].defaultValue = nil
        }
        return merged
    }
}
