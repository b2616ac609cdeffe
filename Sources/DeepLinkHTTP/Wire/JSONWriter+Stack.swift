package import DeepLinkCore

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
}
