public import DeepLinkCore
public import Foundation
import Synchronization

/// The connection of a store to its server.
///
/// ```swift
/// struct ServerTransport: BundleTransport {
///     let server: URL
///     let token: String
///
///     func bundle(unless tag: String?) async throws -> BundleResponse {
///         var request = URLRequest(url: server.appending(path: "v1/catalog/bundle"))
///         request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
///         if let tag { request.setValue(tag, forHTTPHeaderField: "If-None-Match") }
///         let (body, response) = try await URLSession.shared.data(for: request)
///         guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
///         return BundleResponse(
///             status: response.statusCode,
///             body: [UInt8](body),
///             signature: response.value(forHTTPHeaderField: "Waymark-Signature"),
///             tag: response.value(forHTTPHeaderField: "ETag")
///         )
///     }
/// }
/// ```
public protocol BundleTransport: Sendable {
    /// Requests `GET /v1/catalog/bundle`, with the entity tag in `If-None-Match` if it is given.
    ///
    /// - Throws: an error if no response arrives.
    func bundle(unless tag: String?) async throws -> BundleResponse
}

/// The server's response to a request for a bundle.
///
/// ```swift
/// let response = try await transport.bundle(unless: nil)
/// response.status  // 200
/// response.body  // bytes
/// ```
public struct BundleResponse: Sendable {
    /// The status: 200, 304, 404.
    public let status: Int

    /// The body, empty for 304.
    public let body: [UInt8]

    /// The field `Waymark-Signature`.
    public let signature: String?

    /// The field `ETag`.
    public let tag: String?

    /// Creates a response from its parts.
    ///
    /// ```swift
    /// BundleResponse(status: 304, tag: "\"7\"").body.isEmpty  // true
    /// ```
    public init(status: Int, body: [UInt8] = [], signature: String? = nil, tag: String? = nil) {
        self.status = status
        self.body = body
        self.signature = signature
        self.tag = tag
    }
}

/// The catalog that an app uses to resolve links.
///
/// It is the last valid bundle on disk or the seed that is shipped with the app, until the server provides a newer one.
/// A store has a catalog from the start, without waiting. A bundle with an invalid signature, number or content is
/// refused, and the bundle in force stays.
///
/// ```swift
/// let store = try CatalogStore(
///     seed: (bytes, signature),
///     directory: folder,
///     keys: [BundleKey("Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE")].compactMap { $0 },
///     transport: transport
/// )
/// let isNew = try await store.refresh()
/// print(isNew, store.sequence, store.catalog.version)
/// ```
public final class CatalogStore: Sendable {
    private struct State {
        var bundle: CatalogBundle
        var tag: String?
        var checkedAt: Date?
        var refusal: CatalogBundleError?
    }

    private let directory: URL
    private let keys: [BundleKey]
    private let transport: any BundleTransport
    private let state: Mutex<State>

    /// Creates a store with the bundle on disk or the seed, whichever has the higher number.
    ///
    /// - Parameters:
    ///   - seed: the bundle in the app, and its signature.
    ///   - directory: the folder for the last valid bundle, such as Application Support. It is created if necessary.
    ///   - keys: the trusted keys.
    ///   - transport: the connection to the server.
    /// - Throws: ``CatalogBundleError`` if the seed is invalid. A test of the app finds this.
    public init(
        seed: (bytes: [UInt8], signature: [UInt8]),
        directory: URL,
        keys: [BundleKey],
        transport: any BundleTransport
    ) throws(CatalogBundleError) {
        guard let signature = BundleSignature(seed.signature) else { throw .invalidSignature }
        let seed = try CatalogBundle(seed.bytes, signature: signature, trusting: keys)
        var state = State(bundle: seed)
        do throws(CatalogBundleError) {
            if let kept = try Self.kept(in: directory, keys), kept.bundle.sequence > seed.sequence {
                state = State(bundle: kept.bundle, tag: kept.tag)
            }
        } catch {
            state.refusal = error
        }
        self.directory = directory
        self.keys = keys
        self.transport = transport
        self.state = Mutex(state)
    }

    /// The catalog in force.
    public var catalog: RouteCatalog { state.withLock { $0.bundle.catalog } }

    /// The sequence number of the bundle in force.
    public var sequence: Int { state.withLock { $0.bundle.sequence } }

    /// Returns the time since the server last confirmed the catalog, or `nil` if it hasn't since the store was created.
    ///
    /// ```swift
    /// try await store.refresh()
    /// if let age = store.age(), age > 7 * 86_400 { print("The catalog is more than a week old.") }
    /// ```
    public func age(at now: Date = Date()) -> TimeInterval? {
        state.withLock { $0.checkedAt.map { now.timeIntervalSince($0) } }
    }

    /// The error of the last refused bundle, or `nil` if the last one was accepted.
    ///
    /// ```swift
    /// try await store.refresh()
    /// if let error = store.refused { print("The bundle was refused: \(error)") }
    /// ```
    public var refused: CatalogBundleError? { state.withLock { $0.refusal } }

    /// Requests a newer bundle from the server, and applies it.
    ///
    /// - Returns: whether the bundle in force has changed.
    /// - Throws: the transport's errors.
    ///
    /// ```swift
    /// let isNew = try await store.refresh()
    /// isNew  // false
    /// store.refused == nil  // true
    /// ```
    @discardableResult public func refresh(now: Date = Date()) async throws -> Bool {
        let response = try await transport.bundle(unless: state.withLock { $0.tag })
        if response.status == 304 {
            state.withLock { ($0.checkedAt, $0.refusal) = (now, nil) }
            return false
        }
        do throws(CatalogBundleError) {
            let bundle = try bundle(of: response)
            let isNew = try state.withLock { state throws(CatalogBundleError) in
                let former = state.bundle.sequence
                guard bundle.sequence >= former else {
                    throw .rolledBack(sequence: bundle.sequence, inForce: former)
                }
                state = State(bundle: bundle, tag: response.tag, checkedAt: now)
                return bundle.sequence > former
            }
            if isNew { keep(bundle, tag: response.tag) }
            return isNew
        } catch {
            state.withLock { $0.refusal = error }
            return false
        }
    }

    private func bundle(of response: BundleResponse) throws(CatalogBundleError) -> CatalogBundle {
        guard response.status == 200 else { throw .unavailable(status: response.status) }
        guard let signature = response.signature.flatMap({ BundleSignature(Array($0.utf8)) }) else {
            throw .invalidSignature
        }
        return try CatalogBundle(response.body, signature: signature, trusting: keys)
    }

    // MARK: The disk

    /// Stores a bundle across restarts, in one file of three lines that is written as a whole.
    ///
    /// A bundle that cannot be written is downloaded again.
    private func keep(_ bundle: CatalogBundle, tag: String?) {
        let lines = [Array((tag ?? "").utf8), bundle.signature.json, bundle.bytes]
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try? Data(lines.joined(separator: [UInt8(ascii: "\n")])).write(to: Self.file(in: directory), options: .atomic)
    }

    private static func kept(
        in directory: URL,
        _ keys: [BundleKey]
    ) throws(CatalogBundleError) -> (bundle: CatalogBundle, tag: String?)? {
        guard let data = try? Data(contentsOf: file(in: directory)) else { return nil }
        let lines = data.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3, let signature = BundleSignature(Array(lines[1])) else { throw .invalidSignature }
        let bundle = try CatalogBundle(Array(lines[2]), signature: signature, trusting: keys)
        return (bundle, lines[0].isEmpty ? nil : String(decoding: lines[0], as: UTF8.self))
    }

    private static func file(in directory: URL) -> URL { directory.appending(path: "waymark-catalog.bundle") }
}
