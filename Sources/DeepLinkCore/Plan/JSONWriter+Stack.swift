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

    /// Writes the stack of a plan, after a member's name, from what the catalog has prepared for each of its edges.
    mutating func rawStack(_ stack: [StackElement], in graph: CatalogGraph) {
        guard !stack.isEmpty else { return raw("[]") }
        for index in stack.indices {
            let json = graph.packed[stack[index].edge].json
            // What is prepared begins with the end of the destination before: `}},`.
            if index == 0 { raw("[") }
            raw(graph.texts, index == 0 ? json.dropFirst(3) : json)
            rawMembers(stack[index].arguments)
        }
        raw("}}]")
    }

    /// Writes what ``rawStack(_:in:)`` puts before the parameters of a destination that is not the first.
    static func prepared(route: String, presentation: Presentation) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 64)
        writer.stack([Destination(route: route, presentation: presentation)])
        // Without the end of the array, and of both objects.
        return Array("}},".utf8) + writer.bytes.dropFirst().dropLast(3)
    }
}
