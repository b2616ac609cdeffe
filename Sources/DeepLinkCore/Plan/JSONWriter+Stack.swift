extension JSONWriter {
    /// Writes a navigation stack, root first.
    package mutating func stack(_ stack: [Destination]) {
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

    /// Writes the stack of a plan, after a member's name, from the prepared JSON of its edges.
    mutating func rawStack(_ stack: [StackElement], in graph: CatalogGraph) {
        guard !stack.isEmpty else { return raw("[]") }
        for index in stack.indices {
            let json = graph.packed[stack[index].edge].json
            // The prepared text begins with the end of the preceding destination: `}},`.
            if index == 0 { raw("[") }
            raw(graph.texts, range: index == 0 ? json.dropFirst(3) : json)
            rawMembers(stack[index].arguments)
        }
        raw("}}]")
    }

    /// Returns the text that ``rawStack(_:in:)`` writes before the parameters of a destination that is not the first.
    static func prepared(route: String, presentation: Presentation) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 64)
        writer.stack([Destination(route: route, presentation: presentation)])
        // Without the end of the array, and of both objects.
        return Array("}},".utf8) + writer.bytes.dropFirst().dropLast(3)
    }
}
