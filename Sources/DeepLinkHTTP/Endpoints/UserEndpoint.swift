import DeepLinkCore
import HTTPTypes
import Hummingbird

/// Keeps user states: `POST`, `GET` and `DELETE /v1/users/{id}`.
struct UserEndpoint {
    private static let path = "/v1/users/{id}"

    /// Who makes changes, as long as callers are not told apart.
    private static let author = "anyone"

    let environment: ServiceEnvironment

    var endpoints: [Endpoint] {
        [
            Endpoint(method: .post, path: Self.path) { request, context in
                try await save(request, try id(request, context))
            },
            Endpoint(method: .get, path: Self.path) { request, context in try read(try id(request, context)) },
            Endpoint(method: .delete, path: Self.path) { request, context in
                try await remove(request, try id(request, context))
            },
        ]
    }

    /// Reads the user's id from the path; these endpoints have no query.
    private func id(_ request: Request, _ context: BasicRequestContext) throws(Problem) -> UserID {
        _ = try FormQuery(request.rawQuery, names: [])
        let raw = context.parameters.get("id") ?? ""
        guard let text = FormText.decode(raw.utf8, plusIsSpace: false).flatMap(FormText.text) else {
            throw .invalidRequest(field: "id", .malformed, "The user id in the path is not percent-encoded UTF-8.")
        }
        return try UserNaming.id(text, field: "id")
    }

    private func save(_ request: Request, _ id: UserID) async throws -> Response {
        let precondition = try IfMatch.precondition(request.headers)
        let body = try await JSONObjectBody(request, keys: ["authorizationLevel", "validUntil", "levelAfter"])
        guard let level = try body.level("authorizationLevel") else {
            throw Problem.invalidRequest(field: "authorizationLevel", .missing, "The body has no `authorizationLevel`.")
        }
        let grant = LevelGrant(
            level: level,
            validUntil: try body.timestamp("validUntil"),
            levelAfter: try body.level("levelAfter")
        )
        guard let grant else {
            throw Problem.invalidRequest(
                field: "levelAfter",
                .invalidValue,
                "`levelAfter` is higher than `authorizationLevel`; a level can only fall when it ends."
            )
        }
        let time = environment.now()
        let saved = try await change {
            try await environment.store.save(
                UserStateWrite(id: id, grant: grant, precondition: precondition, time: time, author: Self.author)
            )
        }
        return response(saved.state, status: saved.isNew ? .created : .ok)
    }

    private func read(_ id: UserID) throws(Problem) -> Response {
        let state: UserState?
        do {
            state = try environment.store.state(of: id)
        } catch {
            throw .userStateUnavailable(error)
        }
        guard let state else { throw unknown(id) }
        return response(state, status: .ok)
    }

    private func remove(_ request: Request, _ id: UserID) async throws -> Response {
        let precondition = try IfMatch.precondition(request.headers)
        let time = environment.now()
        let existed = try await change {
            try await environment.store.remove(
                UserStateRemoval(id: id, precondition: precondition, time: time, author: Self.author)
            )
        }
        guard existed else { throw unknown(id) }
        return Response(status: .noContent)
    }

    /// Runs a change, and says what keeps it from happening.
    private func change<Result>(_ body: () async throws -> Result) async throws(Problem) -> Result {
        do {
            return try await body()
        } catch UserStateWriteRefusal.versionMismatch(let current) {
            throw Problem(
                .versionMismatch,
                current.map { "The state has version \($0); read it again before you change it." }
                    ?? "There is no state of this user, so none matches.",
                [current.map { .init("version", $0) } ?? .init("version", nil as String?)]
            )
        } catch {
            throw .userStateUnavailable(error)
        }
    }

    private func response(_ state: UserState, status: HTTPResponse.Status) -> Response {
        Response(
            UserBody(state, at: environment.now()),
            status: status,
            headers: [.eTag: "\"\(state.version)\"", .cacheControl: "no-store"]
        )
    }

    private func unknown(_ id: UserID) -> Problem {
        Problem(.unknownUser, "There is no state of the user `\(id.text)`; `POST` one to create it.")
    }
}
