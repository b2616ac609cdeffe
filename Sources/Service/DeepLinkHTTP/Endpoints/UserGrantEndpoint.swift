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

    /// The user states.
    let users: UserService

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .put,
                Self.path,
                access: .granting,
                body: .fields(keys: ["validUntil", "at"]),
                handler: .later { call in
                    try await save(
                        .hold(until: try call.body.timestamp("validUntil")),
                        asOf: try call.body.string("at"),
                        of: call
                    )
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
                return try await respond(to: write, of: call, names: names)
            }
    }

    /// Changes a grant, and returns the response and whether it is stored.
    ///
    /// Throws the problem that prevents the change.
    private func respond(
        to write: GrantWrite,
        of call: EndpointRequest,
        names: AccessNames
    ) async throws -> (EndpointResponse, isKept: Bool) {
        do {
            let saved = try await users.store.save(write)
            let action = saved.isHeld ? AuditAction.grant : .revokeGrant
            await users.audit.note(action, saved.audited, of: call, at: write.terms.time)
            if let response = EndpointResponse(saved, of: write.change, at: write.terms.time, names: names) {
                return (response, true)
            }
            throw saved.state == nil ? Problem.unknownUser(write.id) : .grantNotHeld(write.name, by: write.id)
        } catch let problem as Problem {
            throw problem
        } catch UserStateWriteError.superseded(let state) {
            return (EndpointResponse(superseded: write.id, by: state, at: users.now(), names: names), false)
        } catch UserStateWriteError.versionMismatch(let current) {
            throw Problem.versionMismatch(current, for: write)
        } catch UserStateWriteError.answered(let answer) {
            throw UserStateWriteError.answered(answer)
        } catch {
            throw Problem.failedWrite(error)
        }
    }

    /// Returns the grant in the path, if the caller may write it.
    private static func name(of call: EndpointRequest, among names: GrantNames) throws(Problem) -> GrantName {
        let text = FormURLDecoding.decode(call.lastParameter.utf8, plusIsSpace: false).flatMap(FormURLDecoding.text)
        guard let text else {
            throw .malformed(field: "name", detail: "The grant in the path is not percent-encoded UTF-8.")
        }
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

extension Problem {
    /// Returns the problem for the removal of a grant that a user doesn't hold.
    fileprivate static func grantNotHeld(_ name: GrantName, by id: UserID) -> Problem {
        Problem(.notFound, detail: "The user `\(id.text)` doesn't hold the grant `\(name.text)`.")
    }

    /// Returns the problem for a grant or a user that doesn't meet the precondition, given the user's current version,
    /// or `nil` for a user without a state.
    fileprivate static func versionMismatch(_ current: Int?, for write: GrantWrite) -> Problem {
        let detail =
            switch (write.terms.precondition, current) {
            case (.absent, _): "The user holds the grant `\(write.name.text)` already."
            case (.exists, _): "The user doesn't hold the grant `\(write.name.text)`."
            case (_, let version?): "The user has version \(version); read it again before you change a grant."
            case (_, nil): "There is no state of this user, so none matches."
            }
        return Problem(
            .versionMismatch,
            detail: detail,
            extensions: [current.map { .init("version", number: $0) } ?? .init("version", text: nil as String?)]
        )
    }
}
