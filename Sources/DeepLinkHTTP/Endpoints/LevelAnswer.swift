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

    /// Answers a call without waiting, or says what is awaited.
    func atOnce(_ call: EndpointRequest) throws(Problem) -> PromptAnswer {
        let arguments = try arguments(call)
        if let level = try LinkResolver(call).levelAtHand(for: arguments) {
            return .given(try answer(call, arguments, level))
        }
        // Only a user's level may be far.
        guard let user = arguments.user else { return .given(try answer(call, arguments, .nobody)) }
        return .awaited(
            AwaitedAnswer(
                user: user,
                version: arguments.userVersion,
                head: call.head,
                byteCount: call.byteCount
            ) { finding throws(Problem) in
                try answer(call, arguments, try LinkResolver(call).level(finding, arguments.userVersion))
            }
        )
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
