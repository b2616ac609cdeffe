import DeepLinkAuthentication
import DeepLinkFormats
import HTTPTypes

/// The files that browsers and crawlers request of every web site: `GET /robots.txt`, `GET /favicon.ico`.
enum SiteEndpoint {
    /// A file that forbids nothing: a crawler that may not fetch a page can't read in it that it must not be listed,
    /// nor make its preview.
    private static let robots = Array("User-agent: *\nDisallow:\n".utf8)

    static let endpoints = [
        Endpoint(
            .get,
            "/robots.txt",
            access: .everyone,
            ignoresAccept: true,
            handler: .atOnce { _ throws(Problem) in
                EndpointResponse(.text, bytes: robots, fields: [.cacheControl: "public, max-age=3600"])
            }
        ),
        Endpoint(
            .get,
            "/favicon.ico",
            access: .everyone,
            ignoresAccept: true,
            handler: .atOnce { _ throws(Problem) in throw Problem(.notFound, detail: "The server has no icon.") }
        ),
    ]
}
