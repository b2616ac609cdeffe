import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkWeb
import HTTPServer
import HTTPTypes

/// The endpoints of the association files, the lists of the links that an app opens, and of the test of a URL against
/// them: `GET /.well-known/…`, `POST /v1/associations/test`.
struct AssociationEndpoint {
    /// The current catalog, with the served files.
    let catalog: LiveCatalog

    /// The hosts at which the server answers.
    let hosts: HostSettings

    let signingKeys: LinkSigningKeys
    let now: @Sendable () -> Timestamp

    var endpoints: [Endpoint] {
        [
            file(at: "/.well-known/apple-app-site-association", for: .ios),
            file(at: "/apple-app-site-association", for: .ios),
            file(at: "/.well-known/assetlinks.json", for: .android),
            Endpoint(
                .post,
                "/v1/associations/test",
                access: .services,
                body: .object(keys: ["url", "platform", "file", "domain", "app"]),
                handler: .ready { call throws(Problem) in EndpointResponse(try answer(to: call)) }
            ),
        ]
    }

    /// The maximum length of a tested URL, in bytes.
    private static let maximumURLByteCount = DeepLink.maximumByteCount

    private func file(at path: String, for platform: AssociationPlatform) -> Endpoint {
        Endpoint(
            .get,
            path,
            access: .everyone,
            ignoresAccept: true,
            handler: .ready { call throws(Problem) in
                let policy = hosts.policy(for: call.catalog)
                guard let host = try policy.linkHost(for: call.head.fields.host.first ?? "", isRead: true),
                    let file = catalog.linkSite.file(for: platform, host: host)
                else {
                    throw Problem(
                        .notFound,
                        detail: "The catalog names no app for \(platform.rawValue), or has no https origin."
                    )
                }
                return file.response(to: call.head, fields: [.cacheControl: "public, max-age=3600"])
            }
        )
    }

    /// Returns the verdict of the file in the body, or else of the catalog's own file.
    private func answer(to call: EndpointRequest) throws(Problem) -> AssociationResult {
        let url = try call.body.requiredString("url")
        guard url.utf8.count <= Self.maximumURLByteCount else {
            throw .invalidValue(field: "url", detail: "`url` is over \(Self.maximumURLByteCount) bytes.")
        }
        let name = try call.body.requiredString("platform")
        guard let platform = AssociationPlatform(bytewise: name) else {
            throw .invalidValue(field: "platform", detail: "`\(name)` isn't a platform; send `ios` or `android`.")
        }
        let question = AssociationQuery(
            url: url,
            platform: platform,
            domain: try call.body.string("domain"),
            app: try call.body.string("app")
        )
        guard let file = try Self.file(call.body["file"]) else {
            return question.answer(from: call.catalog, files: catalog.linkSite.files, keys: signingKeys, at: now())
        }
        guard call.byteCount <= AssociationFiles.maximumByteCount else {
            throw .invalidValue(
                field: "file",
                detail: "`file` is over \(AssociationFiles.maximumByteCount) bytes, more than Apple's systems read."
            )
        }
        do throws(MatchingEffortError) {
            let effort = MatchingEffort(steps: Self.maximumStepCount)
            return AssociationResult(verdict: try question.verdict(by: file, effort))
        } catch {
            throw .invalidValue(field: "file", detail: "The patterns of `file` take too long for this URL.")
        }
    }

    /// Returns the file in a body: a JSON value, or its text.
    private static func file(_ value: JSONValue?) throws(Problem) -> JSONValue? {
        guard case .string(let text)? = value else { return value }
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(Array(text.utf8), takesLast: true)
        } catch {
            throw .malformed(field: "file", detail: "`file` isn't JSON: at byte \(error.offset), \(error.message).")
        }
    }

    /// The maximum number of matching steps: some milliseconds, acceptable on an event loop.
    private static let maximumStepCount = 1_000_000
}
