import AsyncAlgorithms
import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkHTTP
import DeepLinkStorage
import Logging
import ServiceLifecycle
import UnixSignals
import WaymarkCommands

/// The checks of files that may have changed.
enum FileWatch {
    /// The cause of a check.
    enum Trigger {
        case signal
        case tick
    }

    /// The times of the checks, each second.
    static var ticks: AsyncTimerSequence<ContinuousClock> {
        AsyncTimerSequence(interval: .seconds(1), clock: .continuous)
    }

    /// Returns the causes of checks: the times, and SIGHUP.
    static func triggers() async -> some AsyncSequence<Trigger, Never> & Sendable {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        return merge(ticks.map { _ in Trigger.tick }, signals.map { _ in Trigger.signal })
    }
}

/// A time in which the work of a service fails, of which only the first failure and the end are logged.
struct FailureSpell {
    private let failure: Logger.Message
    private let recovery: Logger.Message?
    private let level: Logger.Level
    private let logger: Logger
    private var isFailing = false

    /// Creates the spell of a service that works.
    init(_ failure: Logger.Message, recovery: Logger.Message? = nil, level: Logger.Level = .warning, log: Logger) {
        self.failure = failure
        self.recovery = recovery
        self.level = level
        logger = log
    }

    /// Logs a failure, if the one before has ended.
    mutating func note(_ error: any Error) {
        if !isFailing { logger.log(level: level, failure, metadata: ["error": "\(error)"]) }
        isFailing = true
    }

    /// Logs the recovery after a failure.
    mutating func end() {
        if isFailing, let recovery { logger.info(recovery) }
        isFailing = false
    }
}

/// The service that watches the file of the link-signing keys, so that a key is replaced without a restart.
struct SigningKeyWatch: Service {
    let file: SigningKeyFile
    let keys: LinkSigningKeys
    let logger: Logger

    func run() async throws {
        var seen: FileStamp?
        for await _ in FileWatch.ticks.cancelOnGracefulShutdown() {
            let stamp = FileStamp(path: file.path)
            guard stamp != seen else { continue }
            let isFirst = seen == nil
            seen = stamp
            do throws(CommandError) {
                // The first check reads changes since the start.
                keys.replace(with: try file.keys())
                if !isFirst { logger.info("The keys that sign links were read again.") }
            } catch {
                logger.error(
                    "The keys that sign links cannot be read; the former ones stay.",
                    metadata: ["reason": "\(error.message ?? "")"]
                )
            }
        }
    }
}

/// The service that watches for the new level names of `waymark user rename-level`.
///
/// The catalog in force may still have only the former name. It then treats the new name as the same level, so that
/// renaming sends no user to a gate.
struct LevelRenameWatch: Service {
    private static let interval = UserRenameLevelCommand.watchInterval

    let store: any LevelNameStore
    let catalog: LiveCatalog
    let logger: Logger

    func run() async throws {
        var failures = FailureSpell("The names of levels cannot be read.", log: logger)
        for await _ in AsyncTimerSequence(interval: Self.interval, clock: .continuous).cancelOnGracefulShutdown() {
            do {
                if catalog.read(try await store.levelRenames()) {
                    logger.info("A level has another name in the database; the catalog in force has the former one.")
                }
                failures.end()
            } catch {
                failures.note(error)
            }
        }
    }
}

/// The service that follows the service tokens created and revoked by commands, and stores the days of their use.
struct ServiceTokenWatch: Service {
    /// The maximum age of the server's copy of the tokens, so that a revocation counts within a second.
    private static let interval = Duration.milliseconds(500)

    let tokens: ServiceTokens
    let logger: Logger

    func run() async throws {
        var failures = FailureSpell("The service tokens cannot be read.", level: .error, log: logger)
        var areConfigured = tokens.areConfigured
        for await _ in AsyncTimerSequence(interval: Self.interval, clock: .continuous).cancelOnGracefulShutdown() {
            do {
                try await tokens.refresh()
                failures.end()
                // A use that cannot be stored now is kept in memory, and doesn't make the tokens invalid.
                try? await tokens.writeUses()
                if tokens.areConfigured, !areConfigured { logger.info("Callers need credentials from now on.") }
                areConfigured = tokens.areConfigured
            } catch {
                failures.note(error)
            }
        }
        try? await tokens.writeUses()
    }
}
