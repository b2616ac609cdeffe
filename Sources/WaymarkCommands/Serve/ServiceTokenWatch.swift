import AsyncAlgorithms
import DeepLinkAuthentication
import Logging
import ServiceLifecycle

/// Follows the service tokens that the command line makes and revokes while the server runs.
struct ServiceTokenWatch: Service {
    /// How old the server's copy of the tokens may be: a revocation counts within a second.
    private static let interval = Duration.milliseconds(500)

    let tokens: ServiceTokens
    let logger: Logger

    func run() async throws {
        var isFailing = false
        var areConfigured = tokens.areConfigured
        for await _ in AsyncTimerSequence(interval: Self.interval, clock: .continuous).cancelOnGracefulShutdown() {
            do {
                try tokens.refresh()
                isFailing = false
                if tokens.areConfigured, !areConfigured { logger.info("Callers need credentials from now on.") }
                areConfigured = tokens.areConfigured
            } catch {
                if !isFailing { logger.error("The service tokens cannot be read.", metadata: ["error": "\(error)"]) }
                isFailing = true
            }
        }
    }
}
