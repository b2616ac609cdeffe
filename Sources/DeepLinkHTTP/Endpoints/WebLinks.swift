import DeepLinkCore
import DeepLinkFormats
import HTTPTypes

/// The answers to whatever is no endpoint: links themselves (`GET /characters/character/1` with a `Host` is that https
/// link), other methods of a known path, and the server's own empty paths.
enum WebLinks {
    /// Answers a request that was admitted, without waiting, or says what is awaited.
    ///
    /// - Throws: `Problem`.
    static func respondAtOnce(
        to head: RequestHead,
        _ admitted: AdmittedRequest,
        _ environment: ServiceEnvironment
    ) throws(Problem) -> PromptAnswer {
        if let response = try ownResponse(to: head, admitted, environment) { return .given(response) }
        let prompt: PromptAnswer
        do throws(Problem) {
            prompt = try answer.atOnce(EndpointRequest(environment, head, admitted))
        } catch {
            throw error.adding(LinkDomain.varying)
        }
        guard case .awaited(let answer) = prompt else { return prompt }
        return .awaited(
            AwaitedAnswer(
                user: answer.user,
                version: answer.version,
                head: head,
                byteCount: answer.byteCount
            ) { finding throws(Problem) in
                do throws(Problem) {
                    return try answer.respond(finding)
                } catch {
                    throw error.adding(LinkDomain.varying)
                }
            }
        )
    }

    /// Answers a request that was admitted.
    ///
    /// - Throws: `Problem`.
    static func respond(
        to head: RequestHead,
        _ admitted: AdmittedRequest,
        _ environment: ServiceEnvironment
    ) async throws(Problem) -> EndpointResponse {
        if let response = try ownResponse(to: head, admitted, environment) { return response }
        do throws(Problem) {
            return try await answer.later(EndpointRequest(environment, head, admitted))
        } catch {
            throw error.adding(LinkDomain.varying)
        }
    }

    /// Answers what is about no link, or asks for the page of one; `nil` for a link.
    private static func ownResponse(
        to head: RequestHead,
        _ admitted: AdmittedRequest,
        _ environment: ServiceEnvironment
    ) throws(Problem) -> EndpointResponse? {
        switch head.destination {
        case .otherMethod(let methods): return try refuse(head, allowed: methods)
        case .reserved: throw Problem(.notFound, "The server has nothing at \(head.path).")
        case .endpoint, .webLink: if !head.isRead { return try refuse(head, allowed: [.get]) }
        }
        guard let visitor = admitted.visitor, let host = admitted.linkHost else { return nil }
        let link = "https://\(host)\(head.target)"
        return environment.catalog.links.page(of: link, for: visitor, environment.signingKeys, at: environment.now())
    }

    private static let answer = LevelAnswer { call throws(Problem) in
        guard let host = call.linkHost else {
            throw Problem(.notFound, "The catalog has no https origin, so the server answers no web links.")
        }
        guard call.head.target.utf8.first == UInt8(ascii: "/") else {
            throw .invalidRequest(field: "target", .malformed, "The request target does not begin with a slash.")
        }
        return try ResolveArguments(
            link: Array("https://\(host)\(call.head.target)".utf8),
            call.head.fields,
            call.caller
        )
    } respond: { call, arguments, level throws(Problem) in
        EndpointResponse(try LinkResolver(call).plan(for: arguments, level), fields: LinkDomain.varying)
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
