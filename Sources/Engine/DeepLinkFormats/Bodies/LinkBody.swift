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

    /// Returns the link that leads to a stack of a request.
    ///
    /// - Throws: `Problem` if the value is no stack, or no link leads to it.
    package static func link(
        to value: JSONValue,
        scheme: String?,
        in catalog: RouteCatalog
    ) throws(Problem) -> String {
        let stack = try value.stack(field: "stack")
        guard !stack.isEmpty else {
            throw .invalidRequest(
                field: "stack",
                reason: .invalidValue,
                detail: "`stack` is empty; name at least its root."
            )
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
            writer.key("link")
            writer.string(link)
            if let stack {
                writer.key("stack")
                writer.stack(stack)
            }
        }
    }
}

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
