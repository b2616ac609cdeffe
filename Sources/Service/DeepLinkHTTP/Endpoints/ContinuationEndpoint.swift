import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The endpoint that resolves a gated link again: `POST /v1/continuations`.
///
/// A token issued to an end user belongs to that user. Any other token is bound to the first user that redeems it. A
/// redemption that is gated again returns the same token, for the next gate. A granted redemption spends the token for
/// other users. Its own user may retry it, for example after a lost response, and the link is then resolved again with
/// the level and grants in effect at that time. The client's current stack only affects the transition.
struct ContinuationEndpoint {
    let resolver: LinkResolver

    /// The user states, with which responses are stored.
    let users: UserService

    let redemptions: any ContinuationStore

    var endpoint: Endpoint {
        Endpoint(
            .post,
            "/v1/continuations",
            access: .resolving,
            body: .object(keys: ["token", "user", "userVersion", "app", "holds", "from"]),
            handler: .later(respond)
        )
    }

    private func respond(to call: EndpointRequest) async throws -> EndpointResponse {
        let body = call.body
        let token = try body.requiredString("token")
        guard let user = try call.user(named: try body.string("user")) else {
            throw Problem.missing(field: "user", detail: "Name the user who redeems the token.")
        }
        let version = try RequestedVersion.version(body["userVersion"], header: call.head.fields.userVersion, of: user)
        let app = try RequestedApp.app(
            try body.string("app"),
            header: call.head.fields.app,
            in: call.catalog
        )
        // The token contains nothing that the app asserted before.
        let held = try body.strings("holds")
        let assertions = Assertions.permissions(in: call.catalog, header: call.head.fields.holds) { held }
        let shown = try ResolveFields.currentStack(of: body, rootless: call.catalog.rootlessSchemes)
        return try await IdempotentRequest(call, about: user, of: users)
            .respond { _ in
                let response = try await redeem(
                    token,
                    for: user,
                    atLeast: version,
                    by: app,
                    asserting: assertions,
                    showing: shown,
                    in: call
                )
                return (response, isKept: false)
            }
    }

    /// Resolves the link in a token again, from the current stack of the app in this request.
    ///
    /// The app may have been updated since.
    private func redeem(
        _ token: String,
        for user: UserID,
        atLeast version: Int,
        by app: AppVersion?,
        asserting assertions: Permissions,
        showing shown: CurrentStack?,
        in call: EndpointRequest
    ) async throws(Problem) -> EndpointResponse {
        let continuation = try Continuation(token, verifiedBy: resolver.continuations.verifyingKeys)
        let time = resolver.now()
        guard time <= continuation.expires else { throw expired(continuation) }
        guard continuation.user == nil || continuation.user == user else {
            throw spent("The token was issued to another user; open the link again.")
        }
        let state = try await stored { store in
            try await store.bind(continuation.id, to: user, until: continuation.expires, at: time)
        }
        switch state {
        case .open, .granted: break
        case .spent: throw spent("The token was granted to another user; open the link again.")
        case .expired: throw expired(continuation)
        case .otherUser: throw .invalidContinuation(.otherUser, detail: "Another user redeemed the token first.")
        }
        func repetition(of request: ResolutionRequest) -> ResolveArguments {
            ResolveArguments(
                request: request.repeated(by: app, showing: shown),
                user: user,
                userVersion: version,
                assertions: assertions,
                shortLink: continuation.way.shortLink,
                namesApp: call.body["app"] != nil
            )
        }
        let redemption = Redemption(of: continuation, token: token)
        let request: ResolutionRequest
        do throws(Problem) {
            request = try await resolver.followedAgain(continuation.request, in: call)
        } catch {
            let former = repetition(of: continuation.request)
            throw resolver.failed(error, resolving: former, redeeming: redemption, in: call)
        }
        let arguments = repetition(of: request)
        let level = try await resolver.level(for: arguments, in: call).get()
        let (link, plan) = try resolver.plan(redeeming: redemption, for: arguments, at: level, in: call)
        var isFirst = false
        if state == .open { isFirst = try await stored { try await $0.spend(continuation.id) } }
        resolver.tell(.resolved(link), of: arguments, redeeming: redemption, isRepeated: !isFirst, in: call)
        return EndpointResponse(plan)
    }

    private func expired(_ continuation: Continuation) -> Problem {
        Problem(
            .continuationExpired,
            detail: "The token expired at \(continuation.expires.rfc3339); open the link again.",
            extensions: [.init("reason", text: ContinuationError.expired.rawValue)]
        )
    }

    private func spent(_ detail: String) -> Problem {
        let reason = ProblemExtension("reason", text: ContinuationError.spent.rawValue)
        return Problem(.continuationSpent, detail: detail, extensions: [reason])
    }

    private func stored<Value>(_ body: (any ContinuationStore) async throws -> Value) async throws(Problem) -> Value {
        do {
            return try await body(redemptions)
        } catch {
            throw .failedWrite(error)
        }
    }
}
