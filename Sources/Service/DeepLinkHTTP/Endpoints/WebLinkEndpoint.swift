import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The endpoint of web links: the page for a visitor, and the plan for a program.
///
/// A request such as `GET /characters/character/1` with a `Host` is that https link.
struct WebLinkEndpoint {
    /// The answers to links.
    let answers: RecentAnswers

    /// The current catalog, with its pages.
    let catalog: LiveCatalog

    private var resolver: LinkResolver { answers.resolver }

    var endpoint: Endpoint {
        Endpoint(
            named: Endpoint.webLinkName,
            method: .get,
            access: .resolvingLinks,
            hosts: .links,
            handler: ResolveHandler(
                answers: answers,
                fields: { LinkSite.varying(in: $0.catalog) }
            ) { call throws(Problem) in
                guard let visitor = call.visitor, let host = call.linkHost else { return nil }
                return try page(of: "https://\(host)\(call.head.target)", for: visitor, in: call)
            } arguments: { call throws(Problem) in
                guard let host = call.linkHost else {
                    throw Problem(
                        .notFound,
                        detail: "The catalog has no https origin, so the server answers no web links."
                    )
                }
                guard call.head.target.utf8.first == UInt8(ascii: "/") else {
                    throw .malformed(field: "target", detail: "The request target does not begin with a slash.")
                }
                var link: [UInt8] = []
                link.reserveCapacity(8 + host.utf8.count + call.head.target.utf8.count)
                link += "https://".utf8
                link += host.utf8
                link += call.head.target.utf8
                return try ResolveArguments(link: link.span, of: call, recent: answers.links)
            } respond: { call, arguments, level throws(Problem) in
                let fields = LinkSite.varying(in: call.catalog)
                return try answers.answer(for: arguments, at: level, in: call).response(fields: fields)
            }
            .handler
        )
    }

    /// Answers a visitor, and follows a code first.
    private func page(
        of link: String,
        for visitor: PageVisitor,
        in call: EndpointRequest
    ) throws(Problem) -> Answer<EndpointResponse> {
        guard call.catalog.hasShortLinks, !visitor.isOverLimit, let parsed = try? DeepLink(link),
            let place = call.catalog.shortLinkPlace(in: parsed)
        else { return .ready(response(to: link, leadingTo: nil, for: visitor, in: call)) }
        do throws(Problem) {
            guard let shortLinks = resolver.shortLinks else { throw .unknownShortLink() }
            return try shortLinks.followed(place, by: call.caller, in: call.catalog)
                .map { response(to: link, leadingTo: $0, for: visitor, in: call) }
                .recovering { error in
                    guard let problem = error as? Problem else { throw error }
                    return try response(to: link, leadingNowhere: problem, for: visitor, in: call)
                }
        } catch {
            return .ready(try response(to: link, leadingNowhere: error, for: visitor, in: call))
        }
    }

    private func response(
        to link: String,
        leadingTo followed: ResolvedShortLink?,
        for visitor: PageVisitor,
        in call: EndpointRequest
    ) -> EndpointResponse {
        let (response, visit) = catalog.linkSite.page(
            of: link,
            leadingTo: followed?.target,
            for: visitor,
            keys: resolver.signingKeys,
            at: resolver.now()
        )
        if let visit { resolver.tell(visit, of: followed?.mark, in: call) }
        return response
    }

    /// Returns the page for a visitor of a code that does not resolve.
    ///
    /// A broken code gets the page of an unresolved link.
    private func response(
        to link: String,
        leadingNowhere problem: Problem,
        for visitor: PageVisitor,
        in call: EndpointRequest
    ) throws(Problem) -> EndpointResponse {
        guard problem.code.status < 500 else { throw problem }
        guard problem.code == .unknownShortLink else {
            return response(to: link, leadingTo: nil, for: visitor, in: call)
        }
        let (response, visit) = catalog.linkSite.pageOfUnknownCode(in: link, for: visitor)
        resolver.tell(visit, in: call)
        return response
    }
}

/// The endpoints of other paths and methods: the server's reserved paths, and refusals of methods.
extension Endpoint {
    /// The endpoint of web links requested by another method.
    static let webLinkWithOtherMethod = refusal(named: webLinkName, hosts: .links, allowed: [.get])

    /// The endpoint of reserved paths without content.
    static let reserved = Endpoint(
        named: "not found",
        method: .get,
        access: .resolving,
        hosts: .api,
        handler: .ready { call throws(Problem) in
            throw Problem(.notFound, detail: "The server has nothing at \(call.head.path).")
        }
    )

    /// Returns the endpoint for a path with endpoints for other methods only.
    static func otherMethod(allowed methods: [HTTPRequest.Method]) -> Endpoint {
        refusal(named: "other method", hosts: .api, allowed: methods)
    }

    fileprivate static let webLinkName = "web link"

    /// Returns an endpoint that refuses a method, or lists the allowed ones for `OPTIONS` (RFC 9110 §9.3.7).
    private static func refusal(named name: String, hosts: Hosts, allowed methods: [HTTPRequest.Method]) -> Endpoint {
        var names = methods.map(\.rawValue)
        if methods.contains(.get) { names.append("HEAD") }
        names.append("OPTIONS")
        let allow = names.sorted().joined(separator: ", ")
        return Endpoint(
            named: name,
            method: .options,
            access: .resolving,
            hosts: hosts,
            handler: .ready { call throws(Problem) in
                if call.head.method == .options { return EndpointResponse(status: .noContent, fields: [.allow: allow]) }
                throw Problem(.methodNotAllowed, detail: "\(call.head.path) takes \(allow).", headers: [.allow: allow])
            }
        )
    }
}
