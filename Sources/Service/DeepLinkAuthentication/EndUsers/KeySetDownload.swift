import NIOSSL

/// The download of a JWK Set, or of a provider document that names one, with a timeout and a maximum size.
struct KeySetDownload: KeySetSource {
    private static let maximumRedirectCount = 3

    let url: TrustedURL

    /// The timeout of the whole download.
    var timeout = Duration.seconds(5)

    /// The trusted certificate authorities.
    var trustRoots = NIOSSLTrustRoots.default

    var name: String { url.name }

    var origin: KeySet.Origin { .url }

    func document() async throws(KeySetError) -> [UInt8] {
        do {
            return try await TimeLimit(duration: timeout).apply { try await fetch() }
        } catch let error as KeySetError {
            throw error
        } catch is TimeLimit.Exceeded {
            throw .unavailable("\(name) did not answer within \(timeout.components.seconds) seconds.")
        } catch {
            throw .unavailable("\(name) cannot be fetched: \(error)")
        }
    }

    private func fetch() async throws -> [UInt8] {
        var url = url
        for _ in 0...Self.maximumRedirectCount {
            var fetch = HTTPFetch(url: url, maximumByteCount: Self.maximumByteCount, connectTimeout: timeout)
            fetch.trustRoots = trustRoots
            let response: HTTPFetch.Response
            do {
                response = try await fetch.response()
            } catch HTTPFetch.Failure.tooLarge {
                throw KeySetError.unavailable("\(name) answers with more than \(Self.maximumByteCount) bytes.")
            }
            if [301, 302, 303, 307, 308].contains(response.status) {
                // Each redirect is checked before it is followed.
                do throws(TrustedURLError) {
                    url = try url.redirection(to: response.location ?? "")
                } catch {
                    throw KeySetError.unavailable("\(name) redirects to a place that is not followed: \(error).")
                }
                continue
            }
            guard response.status == 200 else {
                throw KeySetError.unavailable("\(name) answers with the status \(response.status).")
            }
            return response.body
        }
        throw KeySetError.unavailable("\(name) redirects more than \(Self.maximumRedirectCount) times.")
    }
}

/// A time limit for an exchange with another server.
struct TimeLimit: Sendable {
    /// The error of an exchange that exceeds the limit.
    struct Exceeded: Error {}

    /// The maximum duration.
    let duration: Duration

    /// The limit in whole seconds.
    var seconds: Int64 { duration.components.seconds }

    /// Returns the result of a body, or cancels the body if it exceeds the limit.
    ///
    /// - Throws: ``Exceeded``, or the error of the body.
    func apply<Value: Sendable>(
        to body: @escaping @Sendable @concurrent () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask(operation: body)
            group.addTask {
                try await Task.sleep(for: duration)
                throw Exceeded()
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
