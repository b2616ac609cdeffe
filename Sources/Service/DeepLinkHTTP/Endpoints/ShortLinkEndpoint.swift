import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The endpoints that read short links: `GET /v1/short-links/{code}`, its history, and the list.
struct ShortLinkEndpoint {
    /// The maximum number of parts of the store's list that are searched for one page.
    private static let maximumPartCount = 20

    static let listPath = "/v1/short-links"
    static let path = "/v1/short-links/{code}"

    let shortLinks: ShortLinkService

    var endpoints: [Endpoint] {
        let (page, history) = (["after", "limit"], Self.path + "/history")
        let filter = ["route", "label", "state"] + page
        return [
            Endpoint(.get, Self.path, access: .publishing, handler: .later(read)),
            Endpoint(.get, history, access: .publishing, query: page, handler: .later(readHistory)),
            Endpoint(.get, Self.listPath, access: .publishing, query: filter, handler: .later(list)),
        ]
    }

    private func read(_ call: EndpointRequest) async throws(Problem) -> EndpointResponse {
        let link = try await link(of: call)
        guard !link.contents.isWithdrawn else { throw .unknownShortLink(state: "withdrawn") }
        return EndpointResponse(link, at: shortLinks.now(), in: call)
    }

    /// Returns the link of the code in the path, even if it was withdrawn.
    private func link(of call: EndpointRequest) async throws(Problem) -> ShortLink {
        try call.requireShortLinks()
        guard let code = ShortLinkCode(try call.codeText()),
            let link = try await shortLinks.reading({ try await $0.storedLink(for: code) })
        else { throw .unknownShortLink() }
        return link
    }

    private func readHistory(_ call: EndpointRequest) async throws(Problem) -> EndpointResponse {
        let link = try await link(of: call)
        let (after, limit) = (try call.versionBeforePage(), try call.pageSize())
        // One change more than requested shows whether another page follows.
        let changes = try await shortLinks.reading {
            try await $0.history(of: link.code, after: after, limit: limit + 1)
        }
        let page = Array(changes.prefix(limit))
        let next = changes.count > limit ? page.last?.version : nil
        return EndpointResponse(PageBody("history", page, next: next.map { .integer(Int64($0)) }))
    }

    private func list(_ call: EndpointRequest) async throws(Problem) -> EndpointResponse {
        try call.requireShortLinks()
        let (time, limit) = (shortLinks.now(), try call.pageSize())
        let state = try state(of: call)
        let filter = try filter(of: call, state: state, at: time)
        var position = try await position(of: call)
        var bodies: [ShortLinkBody] = []
        for _ in 0..<Self.maximumPartCount {
            let (wanted, start) = (limit - bodies.count, position)
            let page = try await shortLinks.reading { try await $0.shortLinks(filter, after: start, limit: wanted) }
            for link in page.links {
                let current = ShortLinkState(of: link.contents, at: time, in: call.catalog)
                guard state == nil || state?.bytewise == current.name.bytewise else { continue }
                let reader: ShortLinkBody.Reader = call.caller.isAdmin ? .admin : .publisher
                bodies.append(ShortLinkBody(link, state: current, in: call.catalog, for: reader))
            }
            position = page.next
            guard position != nil, bodies.count < limit else { break }
        }
        return EndpointResponse(PageBody("shortLinks", bodies, next: (position?.text).map(JSONValue.string)))
    }

    private func state(of call: EndpointRequest) throws(Problem) -> String? {
        guard let name = try call.query.text("state") else { return nil }
        guard ShortLinkState.names.contains(where: { $0.bytewise == name.bytewise }) else {
            throw .invalidValue(
                field: "state",
                detail: "`\(name)` isn't a state; there are \(ShortLinkState.names.joined(separator: ", "))."
            )
        }
        return name
    }

    private func filter(
        of call: EndpointRequest,
        state: String?,
        at time: Timestamp
    ) throws(Problem) -> ShortLinkFilter {
        let label = try call.query.text("label")
            .map { text throws(Problem) in
                guard let label = ShortLinkLabel(text) else {
                    throw .invalidValue(field: "label", detail: "`\(text)` isn't a label.")
                }
                return label
            }
        let storedState: ShortLinkFilter.StoredState =
            switch state?.bytewise {
            case nil: .any
            case "expired": .expired(at: time)
            case "withdrawn": .withdrawn
            default: .current(at: time)
            }
        return ShortLinkFilter(route: try call.query.text("route"), label: label, storedState: storedState)
    }

    /// Returns the position at which a page begins: `next` of another page, or after a code.
    private func position(of call: EndpointRequest) async throws(Problem) -> ShortLinkPosition? {
        guard let text = try call.query.text("after") else { return nil }
        if let position = ShortLinkPosition(text) { return position }
        if let code = ShortLinkCode(text),
            let position = try await shortLinks.reading({ try await $0.position(after: code) })
        {
            return position
        }
        throw .invalidValue(field: "after", detail: "`after` is `\(text)`; write `next` of the page before.")
    }
}
