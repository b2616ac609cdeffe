import AsyncAlgorithms
import DeepLinkAuthentication
import DeepLinkCatalog
import Logging
import ServiceLifecycle

/// The service that follows the file of the link-signing keys, so that a key is replaced without a restart.
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
