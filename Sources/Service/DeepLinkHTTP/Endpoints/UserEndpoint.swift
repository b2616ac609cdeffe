import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The endpoints that read user states: `GET /v1/users/{id}`, its history, and the list of all states.
struct UserEndpoint {
    static let path = "/v1/users/{id}"

    let users: UserService

    var endpoints: [Endpoint] {
        let (history, page) = (Self.path + "/history", ["after", "limit"])
        return [
            Endpoint(.get, Self.path, access: .administration, handler: .later(read)),
            Endpoint(.get, history, access: .administration, query: page, handler: .later(readHistory)),
            Endpoint(.get, "/v1/users", access: .administration, query: page, handler: .later(list)),
        ]
    }

    private func read(_ call: EndpointRequest) async throws(Problem) -> EndpointResponse {
        let id = try call.userID()
        guard let state = try await users.reading({ try await $0.state(of: id) }) else {
            throw .unknownUser(id)
        }
        return EndpointResponse(state, at: users.now(), names: AccessNames(of: call.catalog))
    }

    private func readHistory(_ call: EndpointRequest) async throws(Problem) -> EndpointResponse {
        let id = try call.userID()
        let (after, limit) = (try call.versionBeforePage(), try call.pageSize())
        // One change more than requested shows whether another page follows.
        let changes = try await users.reading { store in
            let changes = try await store.history(of: id, after: after, limit: limit + 1)
            // There is none after the version, or no history at all.
            guard changes.isEmpty, try await store.history(of: id, after: 0, limit: 1).isEmpty else {
                return Optional(changes)
            }
            return nil
        }
        guard let changes else { throw .unknownUser(id) }
        let page = Array(changes.prefix(limit))
        let next = changes.count > limit ? page.last?.version : nil
        let names = AccessNames(of: call.catalog)
        return EndpointResponse(
            PageBody("history", page.map { UserChangeBody($0, names: names) }, next: next.map { .integer(Int64($0)) })
        )
    }

    private func list(_ call: EndpointRequest) async throws(Problem) -> EndpointResponse {
        let after = try call.query.text("after").map { text throws(Problem) in try place(text) }
        let limit = try call.pageSize()
        // One state more than requested shows whether another page follows.
        let states = try await users.reading { try await $0.states(after: after, limit: limit + 1) }
        let page = Array(states.prefix(limit))
        let next = states.count > limit ? page.last?.id.text : nil
        let (time, names) = (users.now(), AccessNames(of: call.catalog))
        return EndpointResponse(
            PageBody("users", page.map { UserBody($0, at: time, names: names) }, next: next.map(JSONValue.string))
        )
    }

    /// Returns the id after which a page begins.
    ///
    /// Any existing id is accepted.
    private func place(_ text: String) throws(Problem) -> UserID {
        if let id = UserID(stored: text) { return id }
        return try RequestedUser.id(text, field: "after")
    }
}
