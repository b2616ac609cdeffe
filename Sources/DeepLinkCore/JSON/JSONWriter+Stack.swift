extension JSONWriter {
    /// Writes a navigation stack, root first.
    public mutating func stack(_ stack: [Destination]) {
        array(stack) { writer, destination in
            writer.object { writer in
                writer.key("route")
                writer.string(destination.route)
                writer.key("presentation")
                writer.string(destination.presentation.name)
                writer.key("parameters")
                writer.fields(destination.parameters)
            }
        }
    }

    /// Writes the stack of a plan, from what the catalog has prepared for each of its edges.
    mutating func stack(_ stack: [StackElement], in graph: CatalogGraph) {
        array(stack) { writer, element in
            writer.prepared(graph.edges[element.edge].json, isOpen: true)
            writer.members(element.arguments)
            writer.endPrepared("}}")
        }
    }

    /// Writes what ``stack(_:in:)`` puts before the parameters of a destination.
    static func prepared(route: String, presentation: Presentation) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 64)
        writer.stack([Destination(route: route, presentation: presentation)])
        // Without the brackets around it, and the ends of both objects.
        return Array(writer.bytes.dropFirst().dropLast(3))
    }
}
