import DeepLinkAuthentication
import DeepLinkFormats
import HTTPTypes

/// What every web site is asked for: `GET /robots.txt`, `GET /favicon.ico`.
enum SiteEndpoint {
    /// Forbids nothing: who may not fetch a page cannot learn from it that it is not to be listed, nor make its preview.
    private static let robots = Array("User-agent: *\nDisallow:\n".utf8)

    static let endpoints = [
        Endpoint(
            .get,
            "/robots.txt",
            access: .everyone,
            ignoresAccept: true,
            .atOnce { _ throws(Problem) in
                EndpointResponse(.text, bytes: robots, fields: [.cacheControl: "public, max-age=3600"])
            }
        ),
        Endpoint(
            .get,
            "/favicon.ico",
            access: .everyone,
            ignoresAccept: true,
            .atOnce { _ throws(Problem) in throw Problem(.notFound, "The server has no icon.") }
        ),
    ]
}
