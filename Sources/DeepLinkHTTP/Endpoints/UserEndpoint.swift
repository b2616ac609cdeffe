import DeepLinkCore
import HTTPTypes
import Hummingbird

/// Keeps user states: `POST`, `GET` and `DELETE /v1/users/{id}`, its history, and the list of all.
struct UserEndpoint {
    /// The most states of a page, and how many there are where the request does not say.
    private static let (maximumPageSize, defaultPageSize) = (1000, 100)

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
            Endpoint(method: .get, path: "/v1/users") { request, _ in try list(request) },
            Endpoint(method: .get, path: Self.path + "/history") { request, context in
                try readHistory(try id(request, context))
            },
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
        let body = try await JSONObjectBody(request, keys: JSONObjectBody.grantKeys)
        let grant = try body.grant()
        let time = environment.now()
        let saved = try await change {
            try await environment.store.save(
                UserStateWrite(id: id, grant: grant, precondition: precondition, time: time, author: Self.author)
            )
        }
        return response(saved.state, status: saved.isNew ? .created : .ok)
    }

    private func read(_ id: UserID) throws(Problem) -> Response {
        guard let state = try environment.reading({ try $0.state(of: id) }) else { throw unknown(id) }
        return response(state, status: .ok)
    }

    private func readHistory(_ id: UserID) throws(Problem) -> Response {
        let changes = try environment.reading { try $0.history(of: id) }
        guard !changes.isEmpty else { throw unknown(id) }
        return Response(UserHistoryBody(changes), headers: [.cacheControl: "no-store"])
    }

    private func list(_ request: Request) throws(Problem) -> Response {
        let query = try FormQuery(request.rawQuery, names: ["after", "limit"])
        let after = try query.text("after").map { text throws(Problem) in try UserNaming.id(text, field: "after") }
        let limit = try query.text("limit").map { text throws(Problem) in try pageSize(text) } ?? Self.defaultPageSize
        // One more than asked for tells whether a page follows.
        let states = try environment.reading { try $0.states(after: after, limit: limit + 1) }
        let page = Array(states.prefix(limit))
        return Response(
            UserListBody(page, at: environment.now(), next: states.count > limit ? page.last?.id : nil),
            headers: [.cacheControl: "no-store"]
        )
    }

    private func pageSize(_ text: String) throws(Problem) -> Int {
        guard let size = DecimalText.parseInt(text.utf8), (1...Self.maximumPageSize).contains(size) else {
            throw .invalidRequest(
                field: "limit",
                .invalidValue,
                "`limit` is `\(text)`; write a whole number from 1 to \(Self.maximumPageSize)."
            )
        }
        return size
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
