package import DeepLinkCore

/// The response with the link to a stack or a screen.
package struct LinkBody: WireBody {
    private let link: String
    private let stack: [Destination]?

    /// Creates a response with a link and the stack that it opens, unless the client sent the stack.
    package init(link: String, stack: [Destination]? = nil) {
        self.link = link
        self.stack = stack
    }

    /// Returns the link that opens the stack of a request.
    ///
    /// - Throws: `Problem` if the value is not a stack, or no link opens it.
    package static func link(
        to value: JSONValue,
        scheme: String?,
        in catalog: RouteCatalog
    ) throws(Problem) -> String {
        let stack = try value.stack(field: "stack")
        guard !stack.isEmpty else {
            throw .invalidValue(field: "stack", detail: "`stack` is empty; name at least its root.")
        }
        do throws(LinkBuildingError) {
            return try DeepLinkCore.link(to: stack, scheme: scheme, catalog: catalog)
        } catch {
            throw Problem(error)
        }
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("link", link)
            if let stack {
                writer.key("stack")
                writer.stack(stack)
            }
        }
    }
}

/// The response with the address to which a page navigates.
package struct LocationBody: WireBody {
    private let location: String?

    /// Creates a response with an address, or `nil` if the page stays.
    package init(location: String?) {
        self.location = location
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            guard let location else { return }
            writer.member("location", location)
        }
    }
}
