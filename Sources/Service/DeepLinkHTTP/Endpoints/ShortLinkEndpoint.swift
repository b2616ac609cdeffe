import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The endpoints that read short links: `GET /v1/short-links/{code}`, its history, and the list.
struct ShortLinkEndpoint {
    /// The maximum number of links on a page, and the default.
    private static let (maximumPageSize, defaultPageSize) = (1000, 100)

    /// The maximum number of parts of the store's list that are searched for one page.
    private static let maximumPartCount = 20

    static let listPath = "/v1/short-links"
    static let path = "/v1/short-links/{code}"

    let shortLinks: ShortLinkService

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, access: .publishing, handler: .later { try await read($0) }),
            Endpoint(
                .get,
                Self.path + "/history",
                access: .publishing,
                query: ["after", "limit"],
                handler: .later { try await readHistory($0) }
            ),
            Endpoint(
                .get,
                Self.listPath,
                access: .publishing,
                query: ["route", "label", "state", "after", "limit"],
                handler: .later { try await list($0) }
            ),
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
        let after = try call.query.text("after").map { text throws(Problem) in try version(text) } ?? 0
        let limit = try pageSize(of: call)
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
        let (time, limit) = (shortLinks.now(), try pageSize(of: call))
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
                bodies.append(
                    ShortLinkBody(
                        link,
                        state: current,
                        in: call.catalog,
                        for: call.caller.isAdmin ? .admin : .publisher
                    )
                )
            }
            position = page.next
            guard position != nil, bodies.count < limit else { break }
        }
        return EndpointResponse(PageBody("shortLinks", bodies, next: (position?.text).map(JSONValue.string)))
    }

    private func state(of call: EndpointRequest) throws(Problem) -> String? {
        guard let name = try call.query.text("state") else { return nil }
        guard ShortLinkState.names.contains(where: { $0.bytewise == name.bytewise }) else {
            throw RequestedShortLink.invalid(
                "state",
                "`\(name)` isn't a state; there are \(ShortLinkState.names.joined(separator: ", "))."
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
                    throw RequestedShortLink.invalid("label", "`\(text)` isn't a label.")
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
        throw RequestedShortLink.invalid("after", "`after` is `\(text)`; write `next` of the page before.")
    }

    private func version(_ text: String) throws(Problem) -> Int {
        guard let version = DecimalText.parseInt(text.utf8), version >= 0 else {
            throw RequestedShortLink.invalid(
                "after",
                "`after` is `\(text)`; write a version, such as `next` of the page before."
            )
        }
        return version
    }

    private func pageSize(of call: EndpointRequest) throws(Problem) -> Int {
        guard let text = try call.query.text("limit") else { return Self.defaultPageSize }
        guard let size = DecimalText.parseInt(text.utf8), (1...Self.maximumPageSize).contains(size) else {
            throw RequestedShortLink.invalid(
                "limit",
                "`limit` is `\(text)`; write a whole number from 1 to \(Self.maximumPageSize)."
            )
        }
        return size
    }
}
