import AsyncAlgorithms
import DeepLinkHTTP
import DeepLinkStorage
import Logging
import ServiceLifecycle

/// The service that follows the names that `waymark user rename-level` gives to levels.
///
/// The catalog in force may still have the former name alone; it then reads the new one as the same level, so that nobody
/// is sent to a gate by a renaming.
struct LevelRenameWatch: Service {
    /// The time between two looks; the command waits for several of them.
    static let interval = Duration.seconds(1)

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
