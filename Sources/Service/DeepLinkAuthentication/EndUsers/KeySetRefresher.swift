import Crypto
import Logging
import ServiceLifecycle

/// The service that reads the keys of tokens at the start, at an interval, and when a token names an unknown key.
///
/// If reading fails, or yields no usable key, the last good set remains in use.
package actor KeySetRefresher: Service {
    private let source: any KeySetSource
    private let pace: RefreshPace
    private let owner: String
    private let ring: KeyRing
    private let logger: Logger

    /// The reading in progress.
    ///
    /// Other callers that need one wait for it.
    private var reading: Task<KeySetError?, Never>?

    /// The time of the last reading for an unknown key.
    private var lastOnDemand: ContinuousClock.Instant?

    /// The digest of the document in use.
    private var digest: SHA256Digest?

    /// Creates the service for the keys of an owner, named as in the log.
    init(source: any KeySetSource, pace: RefreshPace, owner: String, ring: KeyRing, logger: Logger) {
        self.source = source
        self.pace = pace
        self.owner = owner
        self.ring = ring
        self.logger = logger
    }

    /// Reads a key file before the first request.
    ///
    /// Keys at a URL are first fetched by ``run()``, so that the service starts even if an identity provider is down.
    ///
    /// - Throws: ``KeySetError`` if the file contains no usable key set.
    package func readFile() async throws(KeySetError) {
        guard source.origin == .file else { return }
        if let error = await begin().value { throw error }
    }

    /// Reads the keys now and at every interval, until the service shuts down.
    package func run() async throws {
        await cancelWhenGracefulShutdown { await self.readUntilCancelled() }
    }

    private func readUntilCancelled() async {
        while !Task.isCancelled {
            let reading = begin()
            _ = await withTaskCancellationHandler {
                await reading.value
            } onCancel: {
                reading.cancel()
            }
            try? await Task.sleep(for: pace.interval)
        }
    }

    /// Reads the keys again because a token names an unknown one, unless that was done within the last 10 seconds.
    ///
    /// Returns when the keys are read.
    func refreshForUnknownKey() async {
        if reading == nil {
            let now = ContinuousClock.now
            if let lastOnDemand, now - lastOnDemand < pace.spacing { return }
            lastOnDemand = now
        }
        _ = await begin().value
    }

    private func begin() -> Task<KeySetError?, Never> {
        if let reading { return reading }
        let reading = Task { await read() }
        self.reading = reading
        return reading
    }

    private func read() async -> KeySetError? {
        defer { reading = nil }
        do throws(KeySetError) {
            let document = try await source.document()
            let digest = SHA256.hash(data: document)
            guard digest != self.digest else {
                logger.debug("The keys of \(owner) are unchanged.", metadata: ["source": "\(source.name)"])
                ring.noteReading()
                return nil
            }
            let keys = try KeySet(document, of: source.origin)
            if keys.hasSecrets, let exposure = source.exposure { throw .invalid([exposure]) }
            self.digest = digest
            ring.replace(with: keys)
            report(keys)
            return nil
        } catch {
            // A reading cancelled by shutdown says nothing about the keys.
            guard !Task.isCancelled else { return error }
            logger.warning(
                ring.current == nil
                    ? "There are no keys of \(owner); their tokens are refused."
                    : "The keys of \(owner) cannot be read again; the last ones stay in force.",
                metadata: ["source": "\(source.name)", "reason": "\(error)"]
            )
            return error
        }
    }

    private func report(_ keys: KeySet) {
        var metadata: Logger.Metadata = [
            "source": "\(source.name)", "keys": "\(keys.ids.joined(separator: ", "))",
        ]
        if keys.foreignCount > 0 { metadata["leftOut"] = .stringConvertible(keys.foreignCount) }
        logger.info("Read the keys of \(owner)", metadata: metadata)
        for fault in keys.faults.prefix(KeySetError.maximumIssueCount) {
            logger.warning("A key of \(owner) is left out.", metadata: ["reason": "\(fault)"])
        }
    }
}

/// A source of key set documents.
protocol KeySetSource: Sendable {
    /// The name of the source in logs.
    var name: String { get }

    /// The author of the document.
    var origin: KeySet.Origin { get }

    /// The reason why the document must not contain secrets, since others can read it, or `nil` for none.
    var exposure: String? { get }

    /// Reads the document.
    ///
    /// - Throws: ``KeySetError/unavailable(_:)``.
    func document() async throws(KeySetError) -> [UInt8]
}

extension KeySetSource {
    /// The maximum size of a document, in bytes.
    static var maximumByteCount: Int { 1024 * 1024 }

    /// No reason, by default.
    var exposure: String? { nil }
}

/// The reason why a key set cannot be loaded.
///
/// It contains nothing of a key but its id.
package enum KeySetError: Error, CustomStringConvertible, Hashable {
    /// The file or URL could not be read. The text is a sentence.
    case unavailable(String)

    /// The document is not a usable key set. Each text is a sentence.
    case invalid([String])

    /// The maximum number of issues reported at once, so that the author of the keys cannot flood the log.
    static let maximumIssueCount = 20

    /// The description of the error.
    package var description: String {
        switch self {
        case .unavailable(let reason): reason
        case .invalid(let issues):
            issues.prefix(Self.maximumIssueCount).joined(separator: " ")
                + (issues.count > Self.maximumIssueCount ? " There are \(issues.count) issues." : "")
        }
    }
}

/// The intervals at which keys are read again.
struct RefreshPace: Sendable {
    /// The time between two regular readings.
    let interval: Duration

    /// The minimum time between two readings for unknown keys.
    ///
    /// Anyone can invent a `kid`, and must not be able to trigger fetches at will.
    var spacing = Duration.seconds(10)
}
