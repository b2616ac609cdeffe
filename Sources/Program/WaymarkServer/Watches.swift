import AsyncAlgorithms
import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkHTTP
import DeepLinkStorage
import Logging
import ServiceLifecycle
import WaymarkCommands

/// The service that watches the file of the link-signing keys, so that a key is replaced without a restart.
struct SigningKeyWatch: Service {
    /// The time between two checks of the file.
    private static let interval = Duration.seconds(1)

    let file: SigningKeyFile
    let keys: LinkSigningKeys
    let logger: Logger

    func run() async throws {
        var seen: FileStamp?
        for await _ in AsyncTimerSequence(interval: Self.interval, clock: .continuous).cancelOnGracefulShutdown() {
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
        var isFailing = false
        for await _ in AsyncTimerSequence(interval: Self.interval, clock: .continuous).cancelOnGracefulShutdown() {
            do {
                if catalog.read(try await store.levelRenames()) {
                    logger.info("A level has another name in the database; the catalog in force has the former one.")
                }
                isFailing = false
            } catch {
                if !isFailing { logger.warning("The names of levels cannot be read.", metadata: ["error": "\(error)"]) }
                isFailing = true
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
        var isFailing = false
        var areConfigured = tokens.areConfigured
        for await _ in AsyncTimerSequence(interval: Self.interval, clock: .continuous).cancelOnGracefulShutdown() {
            do {
                try await tokens.refresh()
                isFailing = false
                // A use that cannot be stored now is kept in memory, and doesn't make the tokens invalid.
                try? await tokens.writeUses()
                if tokens.areConfigured, !areConfigured { logger.info("Callers need credentials from now on.") }
                areConfigured = tokens.areConfigured
            } catch {
                if !isFailing { logger.error("The service tokens cannot be read.", metadata: ["error": "\(error)"]) }
                isFailing = true
            }
        }
        try? await tokens.writeUses()
    }
}
