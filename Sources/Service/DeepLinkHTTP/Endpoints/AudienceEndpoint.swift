import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The endpoints that resolve a link for stored users: `GET /v1/audience` counts all of them, `POST /v1/audience` lists
/// the results for some, before they are sent a push.
///
/// Only stored levels count. The level in an end user's own token is known only while the token is sent.
struct AudienceEndpoint {
    let resolver: LinkResolver
    let streams: LineStreamRules

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get,
                "/v1/audience",
                access: .countingUsers,
                query: ["link"],
                handler: .later { call in
                    let question = try await AudienceQuery(call, by: resolver)
                    let users = try await resolver.levels.counts(at: resolver.now())
                    return EndpointResponse(
                        AudienceBody(question.request.link, audience: question.audience, users: users)
                    )
                }
            ),
            Endpoint(
                .post,
                "/v1/audience",
                access: .services,
                query: ["link"],
                body: .lines,
                produces: .ndjson,
                handler: .later { call in
                    let question = try await AudienceQuery(call, by: resolver)
                    return streams.respond(to: call, fromLevelsOf: resolver) { line in
                        await answer(line, of: call, about: question)
                    }
                }
            ),
        ]
    }

    private func answer(
        _ line: LineSplitter.Line,
        of call: EndpointRequest,
        about question: AudienceQuery
    ) async -> [UInt8] {
        do throws(Problem) {
            guard case .whole(let bytes) = line else { throw JSONObjectBody.tooLarge }
            let body = try JSONObjectBody(bytes, keys: ["user", "app"])
            let name = try body.requiredString("user")
            guard let user = UserID(name) else {
                throw .invalidValue(field: "user", detail: "`user` isn't the id of a user.")
            }
            let app = try RequestedApp.app(try body.string("app"), header: nil, in: call.catalog)
            let arguments = ResolveArguments(request: question.request, user: user)
            let level = try await resolver.level(for: arguments, in: call).get()
            return AudienceLine(user, with: level.permissions, app: app, in: question.audience).json
        } catch {
            return error.json
        }
    }
}

/// A link with a known outcome for all levels and grants.
private struct AudienceQuery {
    let request: ResolutionRequest
    let audience: LinkAudience

    /// Resolves the link of a request.
    ///
    /// - Throws: `Problem` if it does not resolve.
    init(_ call: EndpointRequest, by resolver: LinkResolver) async throws(Problem) {
        guard let bytes = call.query.bytes("link").map({ Array($0) }) else {
            throw .missing(field: "link", detail: "Name the link, percent-encoded: `/v1/audience?link=…`.")
        }
        let named: ResolutionRequest
        do throws(LinkSyntaxError) {
            named = try ResolutionRequest(link: bytes, mode: .replace, rootless: call.catalog.rootlessSchemes)
        } catch {
            throw Problem(error, in: bytes)
        }
        if let place = call.catalog.shortLinkPlace(in: named.link), let shortLinks = resolver.shortLinks {
            let followed = try await shortLinks.followed(place, by: call.caller, in: call.catalog).get()
            request = named.leading(to: followed.target)
        } else {
            request = named
        }
        do throws(ResolutionError) {
            audience = try LinkAudience(of: request, catalog: call.catalog)
        } catch {
            throw Problem(error)
        }
    }
}
