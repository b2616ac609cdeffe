import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkWeb
import HTTPServer
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
                    guard let icon = catalog.linkSite.icon else {
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

/// The endpoint of QR codes of links, as images to print: `GET /v1/qr-code?link=…`.
enum QRCodeEndpoint {
    static let endpoint = Endpoint(
        .get,
        "/v1/qr-code",
        access: .services,
        query: ["link"],
        produces: .svg,
        handler: .ready { call throws(Problem) in
            guard let code = QRCode(try link(of: call), for: .print) else {
                throw .invalidValue(
                    field: "link",
                    detail: "`link` is too long for a QR code that phones read; make a short link."
                )
            }
            return EndpointResponse(.svg, bytes: code.picture)
        }
    )

    /// Returns the link in the query, as sent.
    ///
    /// It does not have to resolve yet.
    ///
    /// - Throws: `Problem` with the code `invalid-request` or `malformed-link`.
    private static func link(of call: EndpointRequest) throws(Problem) -> String {
        guard let text = try call.query.text("link") else {
            throw .missing(field: "link", detail: "Name the link, percent-encoded: `/v1/qr-code?link=…`.")
        }
        let bytes = Array(text.utf8)
        do throws(LinkSyntaxError) {
            _ = try DeepLink(bytes: bytes, rootless: call.catalog.rootlessSchemes)
        } catch {
            throw Problem(error, in: bytes)
        }
        return text
    }
}
