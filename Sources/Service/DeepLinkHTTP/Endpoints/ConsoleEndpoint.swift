import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import EmbeddedFiles
import HTTPServer
import HTTPTypes
import NIOCore

/// The endpoint of the console, the page that shows the results of a link: `GET /console`, with its scripts and style
/// sheets (decision record 21).
///
/// The page is open to everyone, and contains no data. It requests everything it shows from the API, with its user's
/// credentials.
struct ConsoleEndpoint {
    private static let path = "/console"

    let hosts: ConsoleHosts

    /// The names of the views, each of which is a path of the page.
    ///
    /// Their state is in the fragment. Browsers do not send it.
    private static let views = ["link", "routes", "graph", "associations", "users", "short-links", "changes", "report"]

    var endpoints: [Endpoint] {
        [
            page(Self.path),
            page(Self.path + "/{name}") { call in
                let name = String(call.parameter)
                return Self.views.contains { $0.bytewise == name.bytewise } ? "" : name
            },
            page(Self.path + "/users/{id}"),
            page(Self.path + "/short-links/{code}"),
        ]
    }

    /// Returns the endpoint of a file, by default the page.
    private func page(_ path: String, file: @escaping @Sendable (EndpointRequest) -> String = { _ in "" }) -> Endpoint {
        Endpoint(
            .get,
            path,
            access: .everyone,
            produces: .html,
            handler: .ready { call throws(Problem) in try respond(to: call, file: file(call)) }
        )
    }

    /// The page's policy: it may run this server's own scripts, show its own style sheets and images, send requests
    /// only to it, and never turn text into markup (W3C Trusted Types).
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
        """

    private static let files: [ByteText: (document: SharedDocument, mediaType: String)] = Dictionary(
        uniqueKeysWithValues: (0..<console_page_file_count())
            .map { index in
                let file = console_page_file_at(index)
                let body = ByteBuffer(bytes: UnsafeBufferPointer(start: file.bytes, count: file.count))
                return (String(cString: file.name).bytewise, (SharedDocument(body), String(cString: file.type)))
            }
    )

    /// Returns a file, at a host that serves the console.
    private func respond(to call: EndpointRequest, file name: String) throws(Problem) -> EndpointResponse {
        try hosts.check(call.head)
        guard let file = Self.files[name.bytewise] else { throw hosts.nothing(for: call.head) }
        let fields: HTTPFields = [
            .cacheControl: "no-cache", .contentSecurityPolicy: Self.policy, .crossOriginResourcePolicy: "same-origin",
        ]
        return file.document.response(to: call.head, ofType: file.mediaType, fields: fields)
    }
}

/// The hosts that serve the console: all but the hosts of https origins.
///
/// Anyone may create web links at https origins, and a stranger's page must not share an origin with an admin's token.
struct ConsoleHosts {
    /// The current catalog.
    ///
    /// Its hosts do not serve the console.
    let catalog: LiveCatalog

    /// The hosts at which the server answers.
    let hosts: HostSettings

    /// The hosts of https origins, with their ports, that serve the console nevertheless.
    let added: [String]

    /// Checks that the host of a request serves the console.
    ///
    /// - Throws: `Problem` with the code `not-found`.
    func check(_ head: RequestHead) throws(Problem) {
        guard isAnswered(at: head.fields.host.first ?? "") else { throw nothing(for: head) }
    }

    /// Returns the problem for a missing file, at the host of a request.
    func nothing(for head: RequestHead) -> Problem {
        let authority = head.fields.host.first ?? ""
        return Problem(.notFound, detail: "There is no such file of the console at the host `\(authority)`.")
    }

    private func isAnswered(at authority: String) -> Bool {
        guard let host = hosts.policy(for: catalog.current).originHost(authority) else { return true }
        return added.contains { Origin.host($0, ofScheme: "https").bytewise == host.bytewise }
    }
}
