import AsyncAlgorithms
import DeepLinkAuthentication
import Logging
import ServiceLifecycle

/// The service that follows the service tokens created and revoked by commands, and stores the days of their uses.
struct ServiceTokenWatch: Service {
    /// The greatest age of the server's copy of the tokens: a revocation counts within a second.
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
                // A use that cannot be stored now is kept in memory, and no reason to doubt the tokens.
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
