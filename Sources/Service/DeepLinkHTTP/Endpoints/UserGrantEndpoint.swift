import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The endpoints that change one grant of a user: `PUT` and `DELETE /v1/users/{id}/grants/{name}`.
struct UserGrantEndpoint {
    private static let path = UserEndpoint.path + "/grants/{name}"

    let users: UserService

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .put,
                Self.path,
                access: .granting,
                body: .fields(keys: ["validUntil", "at"]),
                handler: .later { call in
                    let end = try call.body.timestamp("validUntil")
                    return try await save(.hold(until: end), asOf: try call.body.string("at"), of: call)
                }
            ),
            Endpoint(
                .delete,
                Self.path,
                access: .granting,
                query: ["at"],
                handler: .later { call in try await save(.remove, asOf: try call.query.text("at"), of: call) }
            ),
        ]
    }

    private func save(_ change: GrantWrite.Change, asOf: String?, of call: EndpointRequest) async throws
        -> EndpointResponse
    {
        let id = try call.userID()
        let names = AccessNames(of: call.catalog)
        let name = try Self.name(of: call, among: names.grants)
        let time = users.now()
        let moment = try asOf.map { text throws(Problem) in try JSONObjectBody.asOf(text, at: time) }
        let precondition = try UserStatePrecondition(call.head.fields)
        return try await IdempotentRequest(call, about: id, of: users)
            .respond { request in
                let write = GrantWrite(
                    id: id,
                    name: name,
                    formerNames: names.grants.former(of: name),
                    change: change,
                    precondition: precondition,
                    time: time,
                    author: call.caller.name,
                    asOf: moment,
                    isAudited: users.audit.isKept,
                    storing: request.map { request in
                        ResponseStoring(request) { saved in
                            EndpointResponse(saved, of: change, at: time, names: names)?.kept(to: request)
                        }
                    }
                )
                return try await users.changing(id, under: precondition, names: names) {
                    let saved: GrantWriteResult
                    do {
                        saved = try await users.store.save(write)
                    } catch UserStateWriteError.versionMismatch(let current) {
                        throw Problem.versionMismatch(current, for: precondition, of: name)
                    }
                    await users.audit.note(saved.isHeld ? .grant : .revokeGrant, saved.audited, of: call, at: time)
                    if let response = EndpointResponse(saved, of: change, at: time, names: names) { return response }
                    guard saved.state != nil else { throw Problem.unknownUser(id) }
                    throw Problem(.notFound, detail: "The user `\(id.text)` doesn't hold the grant `\(name.text)`.")
                }
            }
    }

    /// Returns the grant in the path, if the caller may write it.
    private static func name(of call: EndpointRequest, among names: GrantNames) throws(Problem) -> GrantName {
        let text = try call.grantText()
        if case .granter(_, let own) = call.caller {
            let wanted = GrantName(text).map(names.present)
            guard let wanted, own.contains(where: { names.present($0) == wanted }) else {
                throw .insufficientScope(.admin, reason: "The token writes other grants than the one of the path.")
            }
        }
        return try names.checked(text, field: "name")
    }
}

extension EndpointResponse {
    /// Creates the response to the change of a grant, or returns `nil` if a grant to remove wasn't held by the user.
    fileprivate init?(_ saved: GrantWriteResult, of change: GrantWrite.Change, at time: Timestamp, names: AccessNames) {
        switch (change, saved.state) {
        case (.hold, let state?):
            self.init(state, at: time, status: saved.isHeld && !saved.wasHeld ? .created : .ok, names: names)
        case (.remove, _) where saved.wasHeld: self.init(status: .noContent)
        case (.remove, _), (.hold, nil): return nil
        }
    }
}
