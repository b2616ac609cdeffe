import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPServer
import HTTPTypes

/// The endpoint for a stream of requests, one JSON object a line: `POST /v1/resolve/batch`.
///
/// Each line gets the body that `POST /v1/resolve` would give, in order. A malformed line gets its problem, and the
/// stream continues. Lines are answered as they arrive, so that memory doesn't grow with their number.
struct BatchEndpoint {
    let answers: RecentAnswers
    let streams: LineStreamRules

    var endpoint: Endpoint {
        Endpoint(
            .post,
            "/v1/resolve/batch",
            access: .resolving,
            body: .lines,
            produces: .ndjson,
            handler: .later { call in
                // An invalid user is invalid for every line, so the whole request is refused immediately.
                _ = try call.user(named: nil)
                return streams.respond(to: call, fromLevelsOf: answers.resolver) { await answer($0, of: call) }
            }
        )
    }

    private func answer(_ line: LineSplitter.Line, of call: EndpointRequest) async -> [UInt8] {
        do throws(Problem) {
            guard case .whole(let bytes) = line else { throw JSONObjectBody.tooLarge }
            let body = try JSONObjectBody(bytes, keys: ResolveArguments.names)
            let named = try ResolveArguments(
                body: body,
                terms: call.head.terms,
                caller: call.caller,
                catalog: call.catalog,
                recent: answers.links
            )
            let arguments = try await answers.followed(named, in: call).get()
            let level = try await answers.resolver.level(for: arguments, in: call).get()
            return try answers.answer(for: arguments, at: level, in: call).json
        } catch {
            return error.identified(by: call.head.id).json
        }
    }
}
