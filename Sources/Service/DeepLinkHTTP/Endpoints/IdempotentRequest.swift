import Crypto
import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes

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
        _ work: (RepeatableRequest?) async throws -> (EndpointResponse, isKept: Bool)
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

    private func keep(_ answer: KeptAnswer, to request: RepeatableRequest) async throws(Problem) -> KeptAnswer {
        do { return try await users.store.keep(answer, to: request) } catch {
            throw .failedWrite(error)
        }
    }

    private func repeating(_ answer: KeptAnswer, to request: RepeatableRequest) throws(Problem) -> EndpointResponse {
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
    private func request() throws(Problem) -> RepeatableRequest? {
        guard let key = try IdempotencyKey.key(call.head.fields.idempotencyKey),
            let user = user ?? UserID(stored: Self.nobody)
        else { return nil }
        return RepeatableRequest(
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
