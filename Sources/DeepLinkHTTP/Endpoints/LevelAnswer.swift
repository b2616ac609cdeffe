import DeepLinkFormats

/// An answer that depends on a user's level, which may be at hand or have to be waited for.
struct LevelAnswer: Sendable {
    /// Reads what is asked for.
    let arguments: @Sendable (EndpointRequest) throws(Problem) -> ResolveArguments

    /// Answers, once the level is known.
    let respond: @Sendable (EndpointRequest, ResolveArguments, UserLevel) throws(Problem) -> EndpointResponse

    /// The answer of an endpoint.
    var answer: Endpoint.Answer {
        .atOnceOrLater(
            { call throws(Problem) in try atOnce(call) },
            { call async throws(Problem) in try await later(call) }
        )
    }

    /// Answers a call without waiting.
    ///
    /// - Returns: `nil` where the level has to be waited for.
    func atOnce(_ call: EndpointRequest) throws(Problem) -> EndpointResponse? {
        let arguments = try arguments(call)
        guard let level = try LinkResolver(call).levelAtHand(for: arguments) else { return nil }
        return try answer(call, arguments, level)
    }

    /// Answers a call.
    func later(_ call: EndpointRequest) async throws(Problem) -> EndpointResponse {
        let arguments = try arguments(call)
        return try answer(call, arguments, try await LinkResolver(call).level(for: arguments))
    }

    /// Answers, and says where the level may be out of date (RFC 9111 §5.5, the warn-code of RFC 7234 §5.5.1).
    private func answer(
        _ call: EndpointRequest,
        _ arguments: ResolveArguments,
        _ level: UserLevel
    ) throws(Problem) -> EndpointResponse {
        guard level.isStale else { return try respond(call, arguments, level) }
        do throws(Problem) {
            return try respond(call, arguments, level).adding(UserLevel.staleFields)
        } catch {
            throw error.adding(UserLevel.staleFields)
        }
    }
}
