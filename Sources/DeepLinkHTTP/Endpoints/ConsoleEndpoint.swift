import Crypto
import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import EmbeddedFiles
import HTTPTypes
import NIOCore

/// The page that shows the results of a link: `GET /console`, and its scripts and style sheets (decision record 21).
///
/// The page is open to everyone, and contains no data: it requests everything it shows from the API, with its user's
/// credentials.
enum ConsoleEndpoint {
    /// A file of the page.
    private struct File {
        let mediaType: String
        let body: ByteBuffer

        /// The first 12 hexadecimal digits of the file's SHA-256, as an entity tag.
        let tag: String
    }

    static let path = "/console"

    /// The names of the views, each of which is a path of the page; their state is in the fragment, which is not sent.
    private static let views = ["link", "routes", "graph", "associations", "users", "changes", "report"]

    static let endpoints = [
        page(path),
        Endpoint(
            .get,
            path + "/{name}",
            access: .everyone,
            produces: .html,
            .atOnce { call throws(Problem) in
                let name = String(call.parameter)
                return try respond(to: call, views.contains { $0.bytewise == name.bytewise } ? "" : name)
            }
        ),
        page(path + "/users/{id}"),
    ]

    private static func page(_ path: String) -> Endpoint {
        Endpoint(
            .get,
            path,
            access: .everyone,
            produces: .html,
            .atOnce { call throws(Problem) in try respond(to: call, "") }
        )
    }

    /// The page's policy: it may run this server's own scripts, show its own sheets and images, send requests only to
    /// it, and never turn text into markup (W3C Trusted Types).
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
        """

    private static let files: [ByteText: File] = Dictionary(
        uniqueKeysWithValues: (0..<console_page_file_count())
            .map { index in
                let file = console_page_file_at(index)
                let body = ByteBuffer(bytes: UnsafeBufferPointer(start: file.bytes, count: file.count))
                let digits = SHA256.hash(data: body.readableBytesView).prefix(6)
                    .map { String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16) }
                return (
                    String(cString: file.name).bytewise,
                    File(mediaType: String(cString: file.type), body: body, tag: "\"\(digits.joined())\"")
                )
            }
    )

    /// Returns a file, unless web links of the host may be made by anyone: a stranger's page and an admin's token never
    /// share an origin.
    private static func respond(to call: EndpointRequest, _ name: String) throws(Problem) -> EndpointResponse {
        let authority = call.head.fields.host.first ?? ""
        guard isAnswered(authority, call), let file = files[name.bytewise] else {
            throw Problem(.notFound, detail: "There is no such file of the console at the host `\(authority)`.")
        }
        let fields: HTTPFields = [
            .eTag: file.tag, .cacheControl: "no-cache", .contentSecurityPolicy: policy,
            .crossOriginResourcePolicy: "same-origin",
        ]
        guard !IfNoneMatch.names(file.tag, call.head.fields.ifNoneMatch) else {
            return EndpointResponse(status: .notModified, fields: fields)
        }
        return EndpointResponse(document: file.body, mediaType: file.mediaType, fields: fields)
    }

    private static func isAnswered(_ authority: String, _ call: EndpointRequest) -> Bool {
        guard HostPolicy(call.environment, call.environment.catalog.current).isOrigin(authority) else { return true }
        let host = authority.lowercased()
        return call.environment.consoleHosts.contains { $0.lowercased().bytewise == host.bytewise }
    }
}
