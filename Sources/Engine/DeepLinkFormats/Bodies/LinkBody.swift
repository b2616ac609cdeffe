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

    /// The keys of a request.
    package static let keys = ["stack", "route", "parameters", "scheme", "sign", "expires"]

    /// Returns the link that a request asks for, and its stack if the catalog chose it.
    ///
    /// - Throws: `Problem` if the request names no stack and no route, or no link opens them.
    package static func link(
        requestedBy body: JSONObjectBody,
        in catalog: RouteCatalog
    ) throws(Problem) -> (link: String, stack: [Destination]?) {
        let scheme = try body.string("scheme")
        guard let value = body["stack"] else { return try linkToRoute(of: body, scheme: scheme, in: catalog) }
        for key in ["route", "parameters"] where body[key] != nil {
            throw .invalidRequest(
                field: key,
                reason: .conflict,
                detail: "Send `stack`, or `route` with its `parameters`, not both."
            )
        }
        return (try link(to: value, scheme: scheme, in: catalog), nil)
    }

    private static func linkToRoute(
        of body: JSONObjectBody,
        scheme: String?,
        in catalog: RouteCatalog
    ) throws(Problem) -> (link: String, stack: [Destination]?) {
        guard let route = try body.string("route") else {
            throw .invalidRequest(field: "stack", reason: .missing, detail: "The body has neither `stack` nor `route`.")
        }
        let parameters = try body["parameters"]?.parameters(field: "parameters", name: "`parameters`") ?? []
        do throws(LinkBuildingError) {
            let link = try DeepLinkCore.link(toRoute: route, parameters: parameters, scheme: scheme, catalog: catalog)
            return (link.link, link.stack)
        } catch {
            throw Problem(error)
        }
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

/// The signature that a request for a link asks for.
package struct LinkSigning: Sendable {
    /// The time at which the signature expires, or `nil` if it never does.
    package let expiry: Timestamp?

    /// Reads the fields `sign` and `expires`, or returns `nil` if the link stays unsigned.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`.
    package init?(requestedBy body: JSONObjectBody) throws(Problem) {
        expiry = try body.timestamp("expires")
        guard try body.bool("sign") != true else { return }
        guard expiry == nil else {
            throw .invalidRequest(
                field: "expires",
                reason: .conflict,
                detail: "`expires` is signed with the link; send `sign`."
            )
        }
        return nil
    }

    /// The problem of a link that nothing here can sign.
    package static var withoutKeys: Problem {
        .invalidRequest(
            field: "sign",
            reason: .invalidValue,
            detail: "This service has no keys that sign links; its operator names their file by `signing.keys`."
        )
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
