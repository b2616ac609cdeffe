import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkUsers
import HTTPTypes

/// The endpoint that resolves a gated link again: `POST /v1/continuations`.
///
/// The first user to redeem a token binds it. A redemption that is gated answers with the same token, for the next
/// gate. One that is granted spends the token for others; for its own user, whose answer may have been lost on the way,
/// the link is resolved again, at the level in effect then.
struct ContinuationEndpoint {
    static let endpoints = [
        Endpoint(
            .post,
            "/v1/continuations",
            access: .resolving,
            body: .object(keys: ["token", "user", "userVersion", "app"]),
            .later { call in
                let token = try call.body.requiredString("token")
                guard let user = try call.user(named: try call.body.string("user")) else {
                    throw Problem.invalidRequest(
                        field: "user",
                        reason: .missing,
                        detail: "Name the user who redeems the token."
                    )
                }
                let version = try RequestedVersion.version(
                    call.body["userVersion"],
                    call.head.fields.userVersion,
                    of: user
                )
                let app = try RequestedApp.app(try call.body.string("app"), header: call.head.fields.app)
                return try await IdempotentRequest(call, about: user)
                    .respond { _ in
                        let endpoint = ContinuationEndpoint(call: call)
                        return (try await endpoint.redeem(token, for: user, atLeast: version, app), isKept: false)
                    }
            }
        )
    ]

    private let call: EndpointRequest

    private var environment: ServiceEnvironment { call.environment }

    /// Resolves the link in a token again, for the app of this request, which may have been updated meanwhile.
    private func redeem(
        _ token: String,
        for user: UserID,
        atLeast version: Int,
        _ app: AppVersion?
    ) async throws(Problem) -> EndpointResponse {
        let continuation = try Continuation(token, verifiedBy: environment.continuations.verifyingKeys)
        let time = environment.now()
        guard time <= continuation.expires else { throw expired(continuation) }
        let standing = try await stored { store in
            try await store.bind(continuation.id, to: user, until: continuation.expires, at: time)
        }
        switch standing {
        case .open, .granted: break
        case .spent: throw spent
        case .expired: throw expired(continuation)
        case .otherUser: throw .invalidContinuation(.otherUser, detail: "Another user redeemed the token first.")
        }
        let arguments = ResolveArguments(request: continuation.request.asked(by: app), user: user, version)
        let resolver = LinkResolver(call)
        let level = try await resolver.level(for: arguments)
        let plan = try resolver.plan(for: arguments, level, continuation: token)
        if standing == .open { _ = try await stored { try await $0.spend(continuation.id) } }
        environment.metrics?.redeemed()
        return EndpointResponse(plan)
    }

    private func expired(_ continuation: Continuation) -> Problem {
        Problem(
            .continuationExpired,
            detail: "The token expired at \(continuation.expires.rfc3339); open the link again.",
            extensions: [.init("reason", text: ContinuationError.expired.rawValue)]
        )
    }

    private var spent: Problem {
        Problem(
            .continuationSpent,
            detail: "The token was granted to another user; open the link again.",
            extensions: [.init("reason", text: ContinuationError.spent.rawValue)]
        )
    }

    private func stored<Result>(
        _ body: (any ContinuationStore) async throws -> Result
    ) async throws(Problem) -> Result {
        do {
            return try await body(environment.continuationStore)
        } catch {
            throw .failedWrite(error)
        }
    }
}
