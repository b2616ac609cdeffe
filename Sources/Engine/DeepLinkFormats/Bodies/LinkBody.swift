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
            throw .conflict(field: key, detail: "Send `stack`, or `route` with its `parameters`, not both.")
        }
        return (try link(to: value, scheme: scheme, in: catalog), nil)
    }

    private static func linkToRoute(
        of body: JSONObjectBody,
        scheme: String?,
        in catalog: RouteCatalog
    ) throws(Problem) -> (link: String, stack: [Destination]?) {
        guard let route = try body.string("route") else {
            throw .missing(field: "stack", detail: "The body has neither `stack` nor `route`.")
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
            throw .conflict(field: "expires", detail: "`expires` is signed with the link; send `sign`.")
        }
        return nil
    }

    /// The problem of a link that nothing here can sign.
    package static var withoutKeys: Problem {
        .invalidValue(
            field: "sign",
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

extension JSONValue {
    /// The maximum number of destinations in a stack.
    ///
    /// A route appears at most 64 times, and a link adds at most as many destinations as it has segments and query
    /// keys.
    private static let maximumStackCount = 1024

    /// Reads a navigation stack in the format of plans, in which `parameters` may be absent if empty.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, naming `field` and the element.
    package func stack(field: String) throws(Problem) -> [Destination] {
        guard case .array(let items) = self else {
            throw .wrongType(field: field, detail: "`\(field)` is \(typeInWords); send an array.")
        }
        var stack: [Destination] = []
        guard items.count <= Self.maximumStackCount else {
            throw .invalidValue(
                field: field,
                detail: "`\(field)` has \(items.count) destinations; at most \(Self.maximumStackCount) are read."
            )
        }
        for (index, item) in items.enumerated() {
            stack.append(try item.destination(name: "\(field)[\(index)]", field: field))
        }
        return stack
    }

    private func destination(name: String, field: String) throws(Problem) -> Destination {
        guard case .object(let members) = self else {
            throw .wrongType(field: field, detail: "`\(name)` is \(typeInWords); send an object.")
        }
        let keys: [ByteText] = ["route", "presentation", "parameters"]
        if let unknown = members.first(where: { !keys.contains($0.name) })?.name {
            throw .unknown(
                field: field,
                detail:
                    "`\(name)` has the key `\(unknown)`; there are \(keys.map { $0.string }.joined(separator: ", "))."
            )
        }
        guard case .string(let route)? = members["route"], case .string(let text)? = members["presentation"] else {
            throw .missing(field: field, detail: "`\(name)` has no `route` or no `presentation`; both are strings.")
        }
        guard let presentation = Presentation(name: text) else {
            throw .invalidValue(
                field: field,
                detail:
                    "`\(text)` in `\(name)` isn't a presentation; there are \(Presentation.allNames.joined(separator: ", "))."
            )
        }
        let parameters = try members["parameters"]?.parameters(field: field, name: "`parameters` in `\(name)`")
        return Destination(route: route, presentation: presentation, parameters: parameters ?? [])
    }

    /// Reads the values of a destination.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, naming `field`. Its message calls the value `name`.
    package func parameters(field: String, name: String) throws(Problem) -> [BoundParameter] {
        guard case .object(let members) = self, let bound = Self.parameters(members) else {
            throw .wrongType(
                field: field,
                detail: "\(name) isn't an object of strings, numbers, truth values, arrays and objects."
            )
        }
        return bound
    }

    /// Reads named values.
    ///
    /// They follow the order of the JSON, and are put into the catalog's order later.
    private static func parameters(_ object: JSONObject) -> [BoundParameter]? {
        var bound: [BoundParameter] = []
        for (name, value) in object {
            guard let value = value.parameterValue else { return nil }
            bound.append(BoundParameter(name: name.string, value: value))
        }
        return bound
    }

    private var parameterValue: ParameterValue? {
        switch self {
        case .null: return nil
        case .bool(let flag): return .bool(flag)
        case .integer(let number): return .int(number)
        case .number(let number): return .double(number)
        case .string(let text): return .string(text)
        case .array(let items):
            var values: [ParameterValue] = []
            for item in items {
                guard let value = item.parameterValue else { return nil }
                values.append(value)
            }
            return .list(values)
        case .object(let members): return Self.parameters(members).map { .object($0) }
        }
    }
}
