import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The endpoints that change short links: `POST /v1/short-links`, `POST` and `DELETE /v1/short-links/{code}`.
struct ShortLinkWriteEndpoint {
    let making: ShortLinkWriter

    /// The user states, with which responses are stored, and the audit log.
    let users: UserService

    let streams: LineStreamRules

    private var shortLinks: ShortLinkService { making.shortLinks }

    var endpoints: [Endpoint] {
        let keys = RequestedShortLink.keys
        return [
            Endpoint(
                .post,
                ShortLinkEndpoint.listPath,
                access: .makingShortLinks,
                body: .objectOrLines(keys: keys),
                handler: .later { call in
                    try call.requireShortLinks()
                    guard call.head.takesLines else { return try await save(nil, for: call) }
                    return try ShortLinkLines(making: making, audit: users.audit, streams: streams).respond(to: call)
                }
            ),
            Endpoint(
                .post,
                ShortLinkEndpoint.path,
                access: .makingShortLinks,
                body: .object(keys: keys),
                handler: .later { call in
                    try call.requireShortLinks()
                    return try await save(try RequestedShortLink.code(try call.codeText()), for: call)
                }
            ),
            Endpoint(.delete, ShortLinkEndpoint.path, access: .publishing, handler: .later(withdraw)),
        ]
    }

    private func save(_ code: ShortLinkCode?, for call: EndpointRequest) async throws -> EndpointResponse {
        let requested = try RequestedShortLink(call.body, code: code, by: call.caller, in: call.catalog)
        let precondition = try UserStatePrecondition(call.head.fields)
        return try await IdempotentRequest(call, about: requested.about, of: users)
            .respond { request in
                if let known = try await making.known(requested, to: call.caller) {
                    return (EndpointResponse(known, at: shortLinks.now(), in: call), isKept: false)
                }
                let storing = request.map { request in
                    ResponseStoring<ShortLinkWriteResult>(request) { saved in
                        response(to: saved, in: call).kept(to: request)
                    }
                }
                let write = try await making.write(requested, under: precondition, in: call, storing: storing)
                return try await change(under: precondition) {
                    let saved = try await shortLinks.store.save(write)
                    await users.audit.note([saved], of: call, at: write.terms.time)
                    return (response(to: saved, in: call), isKept: storing != nil)
                }
            }
    }

    private func response(to saved: ShortLinkWriteResult, in call: EndpointRequest) -> EndpointResponse {
        EndpointResponse(saved.link, at: shortLinks.now(), status: saved.isNew ? .created : .ok, in: call)
    }

    private func withdraw(_ call: EndpointRequest) async throws -> EndpointResponse {
        try call.requireShortLinks()
        let precondition = try UserStatePrecondition(call.head.fields)
        guard let code = ShortLinkCode(try call.codeText()),
            let link = try await shortLinks.reading({ try await $0.storedLink(for: code) })
        else { throw Problem.unknownShortLink() }
        return try await IdempotentRequest(call, about: link.contents.about, of: users)
            .respond { request in
                let answer = EndpointResponse(status: .noContent)
                let removal = ShortLinkRemoval(
                    code: link.code,
                    precondition: precondition,
                    time: shortLinks.now(),
                    author: call.caller.name,
                    isAudited: users.audit.isKept,
                    storing: request.map { request in ResponseStoring(request) { _ in answer.kept(to: request) } }
                )
                return try await change(under: precondition) {
                    guard let withdrawn = try await shortLinks.store.withdraw(removal) else {
                        throw Problem.unknownShortLink(state: "withdrawn")
                    }
                    await users.audit.note([withdrawn], of: call, at: removal.terms.time)
                    return (answer, isKept: request != nil)
                }
            }
    }

    /// Performs a change, and throws the problem that prevents it.
    private func change(
        under precondition: UserStatePrecondition,
        body: () async throws -> (EndpointResponse, isKept: Bool)
    ) async throws -> (EndpointResponse, isKept: Bool) {
        do {
            return try await body()
        } catch let problem as Problem {
            throw problem
        } catch ShortLinkWriteError.answered(let answer) {
            throw UserStateWriteError.answered(answer)
        } catch let error as ShortLinkWriteError {
            throw Problem(error, precondition: precondition)
        } catch {
            throw Problem.failedWrite(error)
        }
    }
}
