import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The endpoints that resolve a link for a user: `GET` and `POST /v1/resolve`.
struct ResolveEndpoint {
    private static let path = "/v1/resolve"

    /// The answers to links.
    let answers: RecentAnswers

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get,
                Self.path,
                access: .resolvingLinks,
                query: ResolveArguments.names,
                handler: ResolveHandler(answers: answers) { call throws(Problem) in
                    do throws(Problem) {
                        return try ResolveArguments(queryOf: call, recent: answers.links)
                    } catch {
                        throw call.query.hasPlus(at: ResolveArguments.Name.link.rawValue)
                            ? error.adding(hint: Self.plusHint) : error
                    }
                } respond: { call, arguments, level throws(Problem) in
                    guard call.query.hasPlus(at: ResolveArguments.Name.link.rawValue) else {
                        return try answers.answer(for: arguments, at: level, in: call).response()
                    }
                    do throws(Problem) {
                        return EndpointResponse(
                            try answers.resolver.plan(for: arguments, at: level, in: call)
                                .adding(hint: Self.plusHint)
                        )
                    } catch {
                        throw error.adding(hint: Self.plusHint)
                    }
                }
                .handler
            ),
            Endpoint(
                .post,
                Self.path,
                access: .resolvingLinks,
                body: .object(keys: ResolveArguments.names),
                handler: ResolveHandler(answers: answers) { call throws(Problem) in
                    try ResolveArguments(
                        body: call.body,
                        terms: call.head.terms,
                        caller: call.caller,
                        catalog: call.catalog,
                        recent: answers.links
                    )
                } respond: { call, arguments, level throws(Problem) in
                    try answers.answer(for: arguments, at: level, in: call).response()
                }
                .handler
            ),
        ]
    }

    /// A hint for clients that send a link without percent-encoding it.
    private static let plusHint =
        "A `+` in this query is a space. A plus that belongs to the link is `%2B` here, a space in a link `%2520`."
}

/// The handler of an endpoint that resolves one link: its response depends on a level, which may be cached or remote.
struct ResolveHandler: Sendable {
    /// The answers to links.
    let answers: RecentAnswers

    /// Returns the fields of every response, including refusals.
    var fields: @Sendable (EndpointRequest) -> HTTPFields = { _ in [:] }

    /// Returns an answer that needs no level, or `nil` if one is needed.
    var answerWithoutLevel: @Sendable (EndpointRequest) throws(Problem) -> Answer<EndpointResponse>? = { _ in nil }

    /// Reads the arguments of a request.
    let arguments: @Sendable (EndpointRequest) throws(Problem) -> ResolveArguments

    /// Returns the response, once the level is known.
    let respond: @Sendable (EndpointRequest, ResolveArguments, UserLevel) throws(Problem) -> EndpointResponse

    /// The endpoint's handler.
    var handler: Endpoint.Handler {
        .atOnce { call throws(Problem) in
            if let answer = try answerWithoutLevel(call) { return answer }
            do throws(Problem) {
                let answer = try answer(to: call)
                if case .ready = answer { return answer }
                return answer.recovering { throw adding(fields(call), to: .ofWait($0)) }
            } catch {
                throw adding(fields(call), to: error)
            }
        }
    }

    /// Follows the code of a link, reads the user's level, and resolves.
    private func answer(to call: EndpointRequest) throws(Problem) -> Answer<EndpointResponse> {
        // Most catalogs have no codes to follow.
        guard call.catalog.hasShortLinks else { return try answer(to: call, arguments: try arguments(call)) }
        switch try answers.followed(try arguments(call), in: call) {
        case .ready(let arguments): return try answer(to: call, arguments: arguments)
        case .waiting(let wait): return .waiting { try await answer(to: call, arguments: try await wait()).value }
        }
    }

    private func answer(
        to call: EndpointRequest,
        arguments: ResolveArguments
    ) throws(Problem) -> Answer<EndpointResponse> {
        switch try answers.resolver.level(for: arguments, in: call) {
        case .ready(let level): .ready(try finish(call, arguments: arguments, level: level))
        case .waiting(let wait): .waiting { try finish(call, arguments: arguments, level: try await wait()) }
        }
    }

    /// Returns the response, with a warning if the level may be out of date (RFC 9111 §5.5, with the warn-code of RFC
    /// 7234 §5.5.1).
    private func finish(
        _ call: EndpointRequest,
        arguments: ResolveArguments,
        level: UserLevel
    ) throws(Problem) -> EndpointResponse {
        guard level.isStale || arguments.followed?.isStale == true else { return try respond(call, arguments, level) }
        do throws(Problem) {
            return try respond(call, arguments, level).adding(UserLevel.staleFields)
        } catch {
            throw error.adding(UserLevel.staleFields)
        }
    }

    private func adding(_ fields: HTTPFields, to problem: Problem) -> Problem {
        fields.isEmpty ? problem : problem.adding(fields)
    }
}
