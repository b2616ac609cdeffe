package import DeepLinkCore

/// The answer to a stack or a screen that has a link.
package struct LinkBody: WireBody {
    private let link: String
    private let stack: [Destination]?

    /// Creates the answer with a link and the stack that it leads to, unless the client sent one.
    package init(link: String, stack: [Destination]? = nil) {
        self.link = link
        self.stack = stack
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("link")
            writer.string(link)
            if let stack {
                writer.key("stack")
                writer.stack(stack)
            }
        }
    }
}
