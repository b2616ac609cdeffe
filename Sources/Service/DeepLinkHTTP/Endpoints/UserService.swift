import Crypto
package import DeepLinkAuthentication
package import DeepLinkCore
import DeepLinkFormats
package import DeepLinkReporting
package import DeepLinkStorage
import HTTPServer
import HTTPTypes
import NIOCore
import Synchronization

/// The user states, for the endpoints that read and change them.
package final class UserService: Sendable {
    /// The user states, with the stored responses of their requests.
    let store: any UserStateStore

    /// The log for failures of the store in the middle of a response.
    let failures: FailureLog

    /// The audit log of changes.
    let audit: AuditTrail

    /// The requests with a key that are in progress.
    let inProgress = RequestsInProgress()

    /// Returns the current time.
    let now: @Sendable () -> Timestamp

    /// Creates the service for a store.
    package init(
        store: any UserStateStore,
        failures: FailureLog = FailureLog(),
        audit: AuditTrail = .none,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.failures = failures
        self.audit = audit
        self.now = now
    }

    /// Reads user states.
    ///
    /// - Throws: `Problem` with the code `user-state-unavailable`, for every error of the store.
    func reading<Result>(_ body: (any UserStateStore) async throws -> Result) async throws(Problem) -> Result {
        do {
            return try await body(store)
        } catch {
            throw .userStateUnavailable(error)
        }
    }
}

/// The requests with a key that this server is processing, each once.
final class RequestsInProgress: Sendable {
    private let names = Mutex<Set<[ByteText]>>([])

    /// Begins to process a request.
    ///
    /// ``end(_:)`` must follow.
    ///
    /// - Returns: `false` if the request is already in progress.
    func begin(_ request: KeyedRequest) -> Bool {
        names.withLock { $0.insert(request.name).inserted }
    }

    /// Ends the processing of a request.
    func end(_ request: KeyedRequest) {
        names.withLock { _ = $0.remove(request.name) }
    }
}

/// A request that its client may retry: one `Idempotency-Key` stands for one change and one response.
struct IdempotentRequest {
    private let call: EndpointRequest
    private let user: UserID?
    private let users: UserService

    /// The name in place of a user, for requests that are not about a user.
    private static let nobody = "-"

    /// Creates the request of a call, about a user, or `nil` for none.
    init(_ call: EndpointRequest, about user: UserID?, of users: UserService) {
        self.call = call
        self.user = user
        self.users = users
    }

    /// Performs the work and returns its response, or returns the stored response.
    ///
    /// - Parameter work: gets the request, or `nil` without a key, and returns the response, and whether it is already
    ///   stored together with its change. Other successful responses are stored afterwards.
    /// - Returns: the response.
    /// - Throws: `Problem`, and the errors of the work.
    func respond(
        _ work: (KeyedRequest?) async throws -> (EndpointResponse, isKept: Bool)
    ) async throws -> EndpointResponse {
        guard let request = try request() else { return try await work(nil).0 }
        guard users.inProgress.begin(request) else {
            throw Problem(
                .requestInProgress,
                detail: "A request with this `Idempotency-Key` is being worked on; send it again for its answer.",
                headers: [.retryAfter: "1"]
            )
        }
        defer { users.inProgress.end(request) }
        if let answer = try await users.reading({ try await $0.answer(to: request) }) {
            return try repeating(answer, to: request)
        }
        do {
            let (response, isKept) = try await work(request)
            guard !isKept, let answer = response.kept(to: request) else { return response }
            let kept = try await keep(answer, to: request)
            return kept == answer ? response : try repeating(kept, to: request)
        } catch UserStateWriteError.answered(let answer) {
            return try repeating(answer, to: request)
        }
    }

    private func keep(_ answer: StoredResponse, to request: KeyedRequest) async throws(Problem) -> StoredResponse {
        do { return try await users.store.keep(answer, to: request) } catch {
            throw .failedWrite(error)
        }
    }

    private func repeating(_ answer: StoredResponse, to request: KeyedRequest) throws(Problem) -> EndpointResponse {
        guard answer.digest == request.digest else {
            throw Problem(
                .idempotencyKeyReused,
                detail:
                    "Another request was sent under this `Idempotency-Key` within the last 24 hours; choose a new key for each."
            )
        }
        return EndpointResponse(answer)
    }

    /// Returns the request, or `nil` without a key.
    private func request() throws(Problem) -> KeyedRequest? {
        guard let key = try IdempotencyKey.key(call.head.fields.idempotencyKey),
            let user = user ?? UserID(stored: Self.nobody)
        else { return nil }
        return KeyedRequest(
            caller: call.caller.name,
            method: call.head.method.rawValue,
            path: String(call.head.path),
            key: key,
            digest: digest(user),
            user: user,
            time: users.now()
        )
    }

    /// Returns the digest that distinguishes the request from others, over query, user and body.
    private func digest(_ user: UserID) -> [UInt8] {
        var hash = SHA256()
        for part in [Array(call.head.query.utf8), Array(user.text.utf8), call.bytes] {
            hash.update(data: withUnsafeBytes(of: UInt64(part.count).littleEndian) { Array($0) })
            hash.update(data: part)
        }
        return Array(hash.finalize())
    }
}

/// The audit log for endpoints.
///
/// It adds the caller, the origin and the request id to each line.
package struct AuditTrail: Sendable {
    /// No audit log.
    package static let none = AuditTrail()

    private let log: (any AuditLog)?
    private let tokens: ServiceTokens?

    private init() { (log, tokens) = (nil, nil) }

    /// Creates the writer for a log.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - tokens: The service tokens. Their notes name their holders.
    package init(_ log: any AuditLog, tokens: ServiceTokens) {
        (self.log, self.tokens) = (log, tokens)
    }

    /// Whether there is an audit log.
    var isKept: Bool { log != nil }

    /// Writes lines that are not caused by a request.
    package func note(_ entries: [AuditEntry]) async { await log?.write(entries) }

    /// Writes the lines of changes of users, or nothing if there are none.
    func note(_ action: AuditAction, _ changes: [AuditedChange], of call: EndpointRequest, at time: Timestamp) async {
        guard let log, !changes.isEmpty else { return }
        let (actor, origin) = (actor(of: call.caller), AuditOrigin(of: call))
        await log.write(
            changes.map { AuditEntry(action, $0, at: time, by: actor, from: origin, requestID: call.head.id) }
        )
    }

    /// Writes the line of a change of a user, or nothing if nothing has changed.
    func note(_ action: AuditAction, _ change: AuditedChange?, of call: EndpointRequest, at time: Timestamp) async {
        await note(action, change.map { [$0] } ?? [], of: call, at: time)
    }

    /// Writes the lines of changes of short links, or nothing if there are none.
    func note(_ saved: [ShortLinkWriteResult], of call: EndpointRequest, at time: Timestamp) async {
        guard let log, !saved.isEmpty else { return }
        // An end user's address would identify the person after an erasure.
        let origin = call.caller.endUserID == nil ? AuditOrigin(of: call) : AuditOrigin()
        await log.write(
            saved.compactMap { saved in
                let actor = actor(of: call.caller, names: saved.auditNames)
                return AuditEntry(saved, at: time, by: actor, from: origin, requestID: call.head.id)
            }
        )
    }

    /// Returns the author of a caller's changes.
    ///
    /// - Parameters:
    ///   - caller: The caller.
    ///   - names: The names in the log of the users that a change is about. End users only change their own data.
    /// - Returns: The author.
    func actor(of caller: Caller, names: [UserID: AuditName] = [:]) -> AuditActor {
        switch caller {
        case .anyone, .anonymous: AuditActor(.anyone)
        case .service(let id, _), .granter(let id, _): .token(id, note: tokens?.note(of: id))
        case .person(let person): AuditActor(.person, id: person.subject, name: person.name)
        case .endUser(let user): AuditActor(.user, id: names[user.id]?.text)
        }
    }
}

extension AuditOrigin {
    /// Creates the origin of a request: the connection's peer, and the address that it states if it is a nearby proxy.
    init(of call: EndpointRequest) {
        self.init(
            peer: call.peer?.ipAddress,
            forwarded: CallerAddress.forwarded(by: call.peer, forwardedFor: call.head.fields.forwardedFor)
        )
    }
}
