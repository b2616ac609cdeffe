package import DeepLinkCore

/// The answer to a stack that has a link.
package struct LinkBody: WireBody {
    private let link: String

    /// Wraps a link.
    package init(link: String) {
        self.link = link
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("link")
            writer.string(link)
        }
    }
}
