import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes

/// The endpoints of user states: `POST`, `GET` and `DELETE /v1/users/{id}`, its history, and the list of all.
struct UserEndpoint {
    /// The most states of a page, and how many there are where the request does not say.
    private static let (maximumPageSize, defaultPageSize) = (1000, 100)

    private static let path = "/v1/users/{id}"

    static let endpoints = [
        Endpoint(
            .post,
            path,
            access: .administration,
            body: .object(keys: JSONObjectBody.grantKeys),
            .later { try await UserEndpoint(call: $0).save() }
        ),
        Endpoint(.get, path, access: .administration, .later { try UserEndpoint(call: $0).read() }),
        Endpoint(.delete, path, access: .administration, .later { try await UserEndpoint(call: $0).remove() }),
        Endpoint(
            .get,
            path + "/history",
            access: .administration,
            query: ["after", "limit"],
            .later { try UserEndpoint(call: $0).readHistory() }
        ),
        Endpoint(
            .get,
            "/v1/users",
            access: .administration,
            query: ["after", "limit"],
            .later { try UserEndpoint(call: $0).list() }
        ),
    ]

    private let call: EndpointRequest

    private var environment: ServiceEnvironment { call.environment }

    /// The user's id in the path.
    private func id() throws(Problem) -> UserID {
        guard let text = FormURLDecoding.decode(call.parameter.utf8, plusIsSpace: false).flatMap(FormURLDecoding.text)
        else {
            throw .invalidRequest(field: "id", .malformed, "The user id in the path is not percent-encoded UTF-8.")
        }
        return try RequestedUser.id(text, field: "id")
    }

    private func save() async throws -> EndpointResponse {
        let id = try id()
        let precondition = try IfMatch.precondition(call.head.fields.ifMatch)
        let write = UserStateWrite(
            id: id,
            grant: try call.body.grant(),
            precondition: precondition,
            time: environment.now(),
            author: call.caller.name
        )
        let saved = try await change { try await environment.store.save(write) }
        return response(saved.state, status: saved.isNew ? .created : .ok)
    }

    private func read() throws(Problem) -> EndpointResponse {
        let id = try id()
        guard let state = try environment.reading({ try $0.state(of: id) }) else { throw unknown(id) }
        return response(state, status: .ok)
    }

    private func readHistory() throws(Problem) -> EndpointResponse {
        let id = try id()
        let after = try call.query.text("after").map { text throws(Problem) in try version(text) } ?? 0
        let limit = try pageSize()
        // One more than asked for tells whether a page follows.
        let changes = try environment.reading { store in
            let changes = try store.history(of: id, after: after, limit: limit + 1)
            // None after a version, or none at all.
            return try changes.isEmpty && store.history(of: id, after: 0, limit: 1).isEmpty ? nil : changes
        }
        guard let changes else { throw unknown(id) }
        let page = Array(changes.prefix(limit))
        return EndpointResponse(UserHistoryBody(page, next: changes.count > limit ? page.last?.version : nil))
    }

    private func list() throws(Problem) -> EndpointResponse {
        let query = call.query
        let after = try query.text("after").map { text throws(Problem) in try place(text) }
        let limit = try pageSize()
        // One more than asked for tells whether a page follows.
        let states = try environment.reading { try $0.states(after: after, limit: limit + 1) }
        let page = Array(states.prefix(limit))
        return EndpointResponse(
            UserListBody(page, at: environment.now(), next: states.count > limit ? page.last?.id : nil)
        )
    }

    /// The id after which a page begins; one that exists already may be any.
    private func place(_ text: String) throws(Problem) -> UserID {
        if let id = UserID(stored: text) { return id }
        return try RequestedUser.id(text, field: "after")
    }

    private func version(_ text: String) throws(Problem) -> Int {
        guard let version = DecimalText.parseInt(text.utf8), version >= 0 else {
            throw .invalidRequest(
                field: "after",
                .invalidValue,
                "`after` is `\(text)`; write a version, such as `next` of the page before."
            )
        }
        return version
    }

    private func pageSize() throws(Problem) -> Int {
        guard let text = try call.query.text("limit") else { return Self.defaultPageSize }
        guard let size = DecimalText.parseInt(text.utf8), (1...Self.maximumPageSize).contains(size) else {
            throw .invalidRequest(
                field: "limit",
                .invalidValue,
                "`limit` is `\(text)`; write a whole number from 1 to \(Self.maximumPageSize)."
            )
        }
        return size
    }

    private func remove() async throws -> EndpointResponse {
        let id = try id()
        let removal = UserStateRemoval(
            id: id,
            precondition: try IfMatch.precondition(call.head.fields.ifMatch),
            time: environment.now(),
            author: call.caller.name
        )
        guard try await change({ try await environment.store.remove(removal) }) else { throw unknown(id) }
        return EndpointResponse(status: .noContent)
    }

    /// Runs a change, and says what keeps it from happening.
    private func change<Result>(_ body: () async throws -> Result) async throws(Problem) -> Result {
        do {
            return try await body()
        } catch UserStateWriteError.versionMismatch(let current) {
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

    private func response(_ state: UserState, status: HTTPResponse.Status) -> EndpointResponse {
        EndpointResponse(
            UserBody(state, at: environment.now()),
            status: status,
            fields: [.eTag: "\"\(state.version)\""]
        )
    }

    private func unknown(_ id: UserID) -> Problem {
        Problem(.unknownUser, "There is no state of the user `\(id.text)`; `POST` one to create it.")
    }
}
