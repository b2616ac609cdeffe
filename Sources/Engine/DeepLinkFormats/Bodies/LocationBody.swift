package import DeepLinkCore

/// The address that a page goes on to.
package struct LocationBody: WireBody {
    private let location: String?

    /// Creates the answer with an address; `nil` if the page stays.
    package init(location: String?) {
        self.location = location
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            guard let location else { return }
            writer.key("location")
            writer.string(location)
        }
    }
}
