import DeepLinkCore
import DeepLinkFormats
import HTTPTypes

/// The answers to whatever is no endpoint: links themselves (`GET /characters/character/1` with a `Host` is that https
/// link), other methods of a known path, and the server's own empty paths.
enum WebLinks {
    /// Answers a request that was admitted.
    ///
    /// - Throws: `Problem`.
    static func respond(
        to head: RequestHead,
        _ admitted: AdmittedRequest,
        _ environment: ServiceEnvironment
    ) throws(Problem) -> EndpointResponse {
        switch head.destination {
        case .otherMethod(let methods): return try refuse(head, allowed: methods)
        case .reserved: throw Problem(.notFound, "The server has nothing at \(head.path).")
        case .endpoint, .webLink: break
        }
        guard head.isRead else { return try refuse(head, allowed: [.get]) }
        guard let host = admitted.linkHost else {
            throw Problem(.notFound, "The catalog has no https origin, so the server answers no web links.")
        }
        guard head.target.utf8.first == UInt8(ascii: "/") else {
            throw .invalidRequest(field: "target", .malformed, "The request target does not begin with a slash.")
        }
        let arguments = try ResolveArguments(
            link: Array("https://\(host)\(head.target)".utf8),
            head.fields.user,
            admitted.caller
        )
        return EndpointResponse(
            try LinkResolver(environment, admitted.catalog, admitted.caller, requestID: head.id).plan(for: arguments)
        )
    }

    /// Refuses a method, or lists the ones there are for `OPTIONS` (RFC 9110 §9.3.7).
    private static func refuse(
        _ head: RequestHead,
        allowed methods: [HTTPRequest.Method]
    ) throws(Problem) -> EndpointResponse {
        var names = methods.map(\.rawValue)
        if methods.contains(.get) { names.append("HEAD") }
        names.append("OPTIONS")
        let allow = names.sorted().joined(separator: ", ")
        let fields: HTTPFields = [.allow: allow]
        if head.method == .options { return EndpointResponse(status: .noContent, fields: fields) }
        throw Problem(.methodNotAllowed, "\(head.path) takes \(allow).", headers: fields)
    }
}
