import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The endpoints that change one user's state: `POST` and `DELETE /v1/users/{id}`.
struct UserWriteEndpoint {
    let users: UserService

    var endpoints: [Endpoint] {
        let (path, keys) = (UserEndpoint.path, JSONObjectBody.userKeys)
        return [
            Endpoint(.post, path, access: .administration, body: .object(keys: keys), handler: .later(save)),
            Endpoint(.delete, path, access: .administration, query: ["at", "history"], handler: .later(remove)),
        ]
    }

    private func save(_ call: EndpointRequest) async throws -> EndpointResponse {
        let id = try call.userID()
        // A state that was read can be written back completely, with its id.
        if let name = try call.body.string("id"), try RequestedUser.id(name, field: "id") != id {
            throw Problem.conflict(field: "id", detail: "`id` is not the user of the path; leave it out.")
        }
        let names = AccessNames(of: call.catalog)
        let level = try call.body.heldLevel(in: names.levels)
        let grants = try call.body.shownGrants(among: names.grants)
        let time = users.now()
        let asOf = try call.body.asOf(at: time)
        let precondition = try UserStatePrecondition(call.head.fields)
        return try await IdempotentRequest(call, about: id, of: users)
            .respond { request in
                if let grants { try await requireStored(grants, of: id, at: time, names: names) }
                let write = UserStateWrite(
                    id: id,
                    level: level,
                    precondition: precondition,
                    time: time,
                    author: call.caller.name,
                    asOf: asOf,
                    isAudited: users.audit.isKept,
                    storing: request.map { request in
                        ResponseStoring(request) { saved in
                            EndpointResponse(saved, at: time, names: names).kept(to: request)
                        }
                    }
                )
                return try await users.changing(id, under: precondition, names: names) {
                    let saved = try await users.store.save(write)
                    await users.audit.note(.setUser, saved.audited, of: call, at: time)
                    return EndpointResponse(saved, at: time, names: names)
                }
            }
    }

    /// Checks that grants sent with a level equal the stored ones, since a write of the level leaves them unchanged.
    ///
    /// Expired grants are ignored, since they may have been valid when the user was read.
    ///
    /// - Throws: `Problem` with the code `invalid-request`.
    private func requireStored(
        _ grants: [GrantAssignment],
        of id: UserID,
        at time: Timestamp,
        names: AccessNames
    ) async throws(Problem) {
        let state = try await users.reading { try await $0.state(of: id) }
        let stored = names.grants.presented(state?.access.grants(at: time) ?? [])
        let sent = UserAccess(level: nil, grants: grants).grants(at: time)
        guard Set(sent) != Set(stored) else { return }
        throw
            .conflict(
                field: "grants",
                detail: "`grants` differs from the stored grants, which this request leaves as they are."
            )
            .adding(
                .init(
                    "hint",
                    text: "Change each grant by `PUT` or `DELETE /v1/users/{id}/grants/{name}`, and leave out `grants`."
                )
            )
    }

    private func remove(_ call: EndpointRequest) async throws -> EndpointResponse {
        let id = try call.userID()
        let time = users.now()
        let isErasure = try isErasure(call)
        let asOf = try call.query.text("at").map { text throws(Problem) in try JSONObjectBody.asOf(text, at: time) }
        let precondition = try UserStatePrecondition(call.head.fields)
        if isErasure, asOf != nil || call.head.fields.idempotencyKey.count > 0 {
            throw Problem.conflict(
                field: asOf == nil ? "Idempotency-Key" : "at",
                detail: "With `history=erase` nothing is kept of the user, so it counts now, and no answer is kept; "
                    + "once it is done, the answer is 404."
            )
        }
        return try await IdempotentRequest(call, about: id, of: users)
            .respond { request in
                let answer = EndpointResponse(status: .noContent)
                let removal = UserStateRemoval(
                    id: id,
                    precondition: precondition,
                    time: time,
                    author: call.caller.name,
                    asOf: asOf,
                    isErasure: isErasure,
                    isAudited: users.audit.isKept,
                    storing: request.map { request in ResponseStoring(request) { _ in answer.kept(to: request) } }
                )
                return try await users.changing(id, under: precondition, names: AccessNames(of: call.catalog)) {
                    let removed = try await users.store.apply(removal)
                    let action = isErasure ? AuditAction.eraseUser : .deleteUser
                    await users.audit.note(action, removed.audited, of: call, at: time)
                    guard removed.wasThere else { throw Problem.unknownUser(id) }
                    return answer
                }
            }
    }

    private func isErasure(_ call: EndpointRequest) throws(Problem) -> Bool {
        switch try call.query.text("history")?.bytewise {
        case nil: return false
        case "erase": return true
        case let other?:
            throw .invalidValue(
                field: "history",
                detail:
                    "`history` is `\(other)`; write erase to forget the history with the state, or leave it out to keep it."
            )
        }
    }
}

extension UserService {
    /// Performs a change of a user that stores its response, and throws the problem that prevents it.
    func changing(
        _ id: UserID,
        under precondition: UserStatePrecondition,
        names: AccessNames,
        body: () async throws -> EndpointResponse
    ) async throws -> (EndpointResponse, isKept: Bool) {
        do {
            return (try await body(), true)
        } catch let problem as Problem {
            throw problem
        } catch UserStateWriteError.superseded(let state) {
            return (EndpointResponse(superseded: id, by: state, at: now(), names: names), false)
        } catch UserStateWriteError.versionMismatch(let current) {
            throw Problem.versionMismatch(current, for: precondition)
        } catch UserStateWriteError.answered(let answer) {
            throw UserStateWriteError.answered(answer)
        } catch {
            throw Problem.failedWrite(error)
        }
    }
}

extension EndpointResponse {
    /// Creates the response with a state, and its version as entity tag.
    init(
        _ state: UserState,
        at time: Timestamp,
        status: HTTPResponse.Status = .ok,
        isApplied: Bool = true,
        names: AccessNames
    ) {
        self.init(
            UserBody(state, at: time, isApplied: isApplied, names: names),
            status: status,
            fields: [.eTag: "\"\(state.version)\""]
        )
    }

    /// Creates the response with the saved state.
    init(_ saved: UserStateWriteResult, at time: Timestamp, names: AccessNames) {
        self.init(saved.state, at: time, status: saved.isNew ? .created : .ok, names: names)
    }

    /// Creates the response with the state that remains after a superseded change.
    init(superseded id: UserID, by state: UserState?, at time: Timestamp, names: AccessNames) {
        if let state {
            self.init(state, at: time, isApplied: false, names: names)
        } else {
            self.init(NoUserBody(id, levels: names.levels))
        }
    }
}

extension Problem {
    /// Returns the problem for a user without a state.
    static func unknownUser(_ id: UserID) -> Problem {
        Problem(.unknownUser, detail: "There is no state of the user `\(id.text)`; `POST` one to create it.")
    }

    /// Creates the problem for something of another version than required, or of none.
    init(versionMismatch detail: String, current: Int?) {
        let version =
            current.map { ProblemExtension("version", number: $0) } ?? ProblemExtension("version", text: nil as String?)
        self.init(.versionMismatch, detail: detail, extensions: [version])
    }

    /// Returns the problem for a state or a grant that doesn't meet the precondition, given the user's current version,
    /// or `nil` for a user without a state.
    static func versionMismatch(
        _ current: Int?,
        for precondition: UserStatePrecondition,
        of grant: GrantName? = nil
    ) -> Problem {
        let detail =
            switch (precondition, grant, current) {
            case (.absent, let grant?, _): "The user holds the grant `\(grant.text)` already."
            case (.exists, let grant?, _): "The user doesn't hold the grant `\(grant.text)`."
            case (_, _, nil): "There is no state of this user, so none matches."
            case (_, _?, let version?): "The user has version \(version); read it again before you change a grant."
            case (.absent, nil, let version?): "The user has a state already, of version \(version)."
            case (_, nil, let version?): "The state has version \(version); read it again before you change it."
            }
        return Problem(versionMismatch: detail, current: current)
    }
}

extension UserStatePrecondition {
    /// Reads the precondition from the fields `If-Match` (RFC 9110 §13.1.1) and `If-None-Match` (§13.1.2) of a request.
    ///
    /// Without either, there is none.
    ///
    /// - Throws: `Problem` if one isn't a list of entity tags, or if both are present.
    init(_ fields: borrowing RequestFields) throws(Problem) {
        switch (fields.ifMatch.joined, fields.ifNoneMatch.joined) {
        case (nil, nil): self = .none
        case (let value?, nil):
            // The comparison is strong (RFC 9110 §8.8.3.2): a weak tag never matches.
            let tags = try EntityTags(value, field: "If-Match")
            self = tags.areAny ? .exists : .version(tags.strong)
        case (nil, let value?):
            let tags = try EntityTags(value, field: "If-None-Match")
            self = tags.areAny ? .absent : .otherVersion(tags.strong + tags.weak)
        case (_?, _?):
            throw .conflict(
                field: "If-None-Match",
                detail: "`If-Match` asks for a state, and `If-None-Match` for none; send one of them."
            )
        }
    }
}

/// The entity tags that a field lists, as versions.
private struct EntityTags {
    private static let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))

    /// Whether the field is `*` and matches any tag.
    let areAny: Bool

    /// The versions of strong and of weak tags.
    ///
    /// Tags that aren't a version match nothing.
    private(set) var (strong, weak): ([Int], [Int]) = ([], [])

    init(_ value: String, field: String) throws(Problem) {
        var rest = Substring(value).utf8.withoutSpaceAround
        areAny = rest.elementsEqual("*".utf8)
        guard !areAny else { return }
        let malformed = Problem.malformed(
            field: field,
            detail: "`\(field)` isn't an entity tag; send the `ETag` of the state, such as \"3\" with its quotes."
        )
        // An empty list indicates that the client has lost the tag it meant.
        guard !rest.isEmpty else { throw malformed }
        while !rest.isEmpty {
            let isWeak = rest.starts(with: "W/".utf8)
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == Self.quote, let end = rest.dropFirst().firstIndex(of: Self.quote) else {
                throw malformed
            }
            if let version = DecimalText.parseInt(rest[..<end].dropFirst()) {
                if isWeak { weak.append(version) } else { strong.append(version) }
            }
            rest = rest[rest.index(after: end)...].withoutSpaceAround
            guard rest.isEmpty || rest.first == Self.comma else { throw malformed }
            while rest.first == Self.comma { rest = rest.dropFirst().withoutSpaceAround }
        }
    }
}
