import DeepLinkAuthentication
import DeepLinkFormats
import HTTPTypes

/// The endpoints of files that browsers and crawlers request from every web site: `GET /robots.txt` and
/// `GET /favicon.ico`.
struct SiteEndpoint {
    /// The current catalog, with its icon.
    let catalog: LiveCatalog

    /// A file that forbids nothing.
    ///
    /// A crawler that may not fetch a page can neither read that it must not be indexed, nor make its preview.
    private static let robots = Array("User-agent: *\nDisallow:\n".utf8)

    private static let fileFields: HTTPFields = [.cacheControl: "public, max-age=3600"]

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get,
                "/robots.txt",
                access: .everyone,
                ignoresAccept: true,
                handler: .ready { _ throws(Problem) in
                    EndpointResponse(.text, bytes: Self.robots, fields: Self.fileFields)
                }
            ),
            Endpoint(
                .get,
                "/favicon.ico",
                access: .everyone,
                ignoresAccept: true,
                handler: .ready { _ throws(Problem) in
                    guard let icon = catalog.links.icon else {
                        throw Problem(.notFound, detail: "The server has no icon.")
                    }
                    var fields = Self.fileFields
                    fields[.location] = icon
                    return EndpointResponse(status: .found, fields: fields)
                }
            ),
        ]
    }
}
