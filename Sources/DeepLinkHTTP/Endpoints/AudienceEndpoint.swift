import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkUsers
import HTTPTypes
import NIOCore

/// The destination of a link for stored users: `GET /v1/audience` counts all of them, `POST /v1/audience` lists the
/// results of some, before they are sent a push.
///
/// Levels are the stored ones: the level in an end user's own token is known only while the token is sent.
struct AudienceEndpoint {
    /// The number of bytes of answers that are gathered before they are sent.
    private static let chunkByteCount = 32 * 1024

    static let endpoints = [
        Endpoint(
            .get,
            "/v1/audience",
            access: .countingUsers,
            query: ["link"],
            .later { call in
                let endpoint = try AudienceEndpoint(call)
                let time = call.environment.now()
                let users: LevelCounts
                do {
                    users = try await call.environment.store.levelCounts(at: time)
                } catch {
                    throw Problem.userStateUnavailable(error)
                }
                return EndpointResponse(AudienceBody(endpoint.request.link, audience: endpoint.audience, users: users))
            }
        ),
        Endpoint(
            .post,
            "/v1/audience",
            access: .services,
            query: ["link"],
            body: .lines,
            produces: .ndjson,
            .later { call in try AudienceEndpoint(call).respond() }
        ),
    ]

    private let call: EndpointRequest
    private let request: ResolutionRequest
    private let audience: LinkAudience

    /// Resolves the link of a call for every level.
    ///
    /// - Throws: `Problem` if it leads nowhere.
    private init(_ call: EndpointRequest) throws(Problem) {
        guard let bytes = call.query.bytes("link") else {
            throw .invalidRequest(
                field: "link",
                reason: .missing,
                detail: "Name the link, percent-encoded: `/v1/audience?link=…`."
            )
        }
        self.call = call
        do throws(LinkSyntaxError) {
            request = try ResolutionRequest(link: bytes, mode: .replace, rootless: call.catalog.rootlessSchemes)
        } catch {
            throw Problem(error, in: bytes)
        }
        do throws(ResolutionError) {
            audience = try LinkAudience(of: request, catalog: call.catalog)
        } catch {
            throw Problem(error)
        }
    }

    private func respond() -> EndpointResponse {
        LineStream(call)
            .respondFromLevels { next in
                var answers = ByteBuffer()
                while answers.readableBytes < Self.chunkByteCount, let line = next() {
                    answers.writeBytes(await answer(line))
                    answers.writeInteger(UInt8(ascii: "\n"))
                }
                return answers
            }
    }

    private func answer(_ line: LineSplitter.Line) async -> [UInt8] {
        do throws(Problem) {
            guard case .whole(let bytes) = line else { throw JSONObjectBody.tooLarge }
            let body = try JSONObjectBody(bytes, keys: ["user", "app"])
            let name = try body.requiredString("user")
            guard let user = UserID(name) else {
                throw .invalidRequest(field: "user", reason: .invalidValue, detail: "`user` isn't the id of a user.")
            }
            let app = try body.string("app").map { text throws(Problem) in try RequestedApp.app(text, field: "app") }
            let question = ResolveArguments(request: request, user: user)
            let resolver = LinkResolver(call)
            let level = try await resolver.level(for: question)
            return AudienceLine(user, outcome: audience.outcome(for: level.level, app: app)).json
        } catch {
            return error.json
        }
    }
}
