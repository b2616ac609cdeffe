import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Fetches a JWK Set from a URL, within a time and up to a size.
struct KeySetDownload: KeySetSource {
    private static let maximumRedirectCount = 3

    let url: KeySetURL

    /// How long it may take in all.
    var timeout = Duration.seconds(5)

    var name: String { url.name }

    var origin: KeySet.Origin { .url }

    var isExposed: Bool { false }

    func document() async throws(KeySetError) -> [UInt8] {
        var configuration = HTTPClient.Configuration()
        // Each redirection is checked before it is followed, so the client must not follow them.
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(timeout.components.seconds)
        // A client of its own for each: there are minutes between two, and none is left to be shut down with the
        // service.
        let client = HTTPClient(configuration: configuration)
        let result: Result<[UInt8], any Error>
        do {
            result = .success(try await withinTimeout { try await fetch(with: client) })
        } catch {
            result = .failure(error)
        }
        // Whoever waits for the keys need not wait for connections to close.
        client.shutdown { _ in }
        do {
            return try result.get()
        } catch let error as KeySetError {
            throw error
        } catch {
            throw .unavailable("\(name) cannot be fetched: \(error)")
        }
    }

    private func fetch(with client: HTTPClient) async throws -> [UInt8] {
        var url = url
        for _ in 0...Self.maximumRedirectCount {
            var request = HTTPClientRequest(url: url.text)
            request.headers = ["Accept": "application/jwk-set+json, application/json", "User-Agent": "waymark"]
            let response = try await client.execute(request, deadline: .distantFuture)
            if [301, 302, 303, 307, 308].contains(response.status.code) {
                do throws(KeySetURLFault) {
                    url = try url.redirection(to: response.headers.first(name: "Location") ?? "")
                } catch {
                    throw KeySetError.unavailable("\(name) redirects to a place that is not followed: \(error).")
                }
                continue
            }
            guard response.status == .ok else {
                throw KeySetError.unavailable("\(name) answers with the status \(response.status.code).")
            }
            do {
                return Array(try await response.body.collect(upTo: Self.maximumByteCount).readableBytesView)
            } catch is NIOTooManyBytesError {
                throw KeySetError.unavailable("\(name) answers with more than \(Self.maximumByteCount) bytes.")
            }
        }
        throw KeySetError.unavailable("\(name) redirects more than \(Self.maximumRedirectCount) times.")
    }

    private func withinTimeout(_ body: @escaping @Sendable @concurrent () async throws -> [UInt8]) async throws
        -> [UInt8]
    {
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask(operation: body)
            group.addTask {
                try await Task.sleep(for: timeout)
                throw KeySetError.unavailable("\(name) did not answer within \(timeout.components.seconds) seconds.")
            }
            defer { group.cancelAll() }
            guard let document = try await group.next() else { throw CancellationError() }
            return document
        }
    }
}
