import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkWeb
import HTTPTypes

/// The endpoint of QR codes of links, as images to print: `GET /v1/qr-code?link=…`.
struct QRCodeEndpoint {
    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get,
                "/v1/qr-code",
                access: .services,
                query: ["link"],
                produces: .svg,
                handler: .ready { call throws(Problem) in
                    let link = try Self.link(of: call)
                    guard let code = QRCode(link, for: .print) else {
                        throw .invalidRequest(
                            field: "link",
                            reason: .invalidValue,
                            detail: "`link` is too long for a QR code that phones read; make a short link."
                        )
                    }
                    return EndpointResponse(.svg, bytes: code.picture)
                }
            )
        ]
    }

    /// Returns the link in the query, as sent.
    ///
    /// It does not have to resolve yet.
    ///
    /// - Throws: `Problem` with the code `invalid-request` or `malformed-link`.
    private static func link(of call: EndpointRequest) throws(Problem) -> String {
        guard let text = try call.query.text("link") else {
            throw .invalidRequest(
                field: "link",
                reason: .missing,
                detail: "Name the link, percent-encoded: `/v1/qr-code?link=…`."
            )
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
