import AsyncAlgorithms
import DeepLinkHTTP
import Logging
import ServiceLifecycle

/// The time for which the port stays open after the signal to stop: readiness probes are answered as not ready, other
/// requests are still answered, and clients take their next requests elsewhere.
///
/// It follows the server in the service group, so it is stopped first, and the server once it has ended.
struct Drain: Service {
    /// The time between two checks for an early end.
    private static let interval = Duration.milliseconds(50)

    let load: ServerLoad

    /// The time for which the port stays open.
    let time: Duration

    /// Returns whether the stop was requested at a terminal, which waits only for requests in progress.
    let isInterrupted: @Sendable () -> Bool

    let logger: Logger

    func run() async throws {
        try await gracefulShutdown()
        load.drain()
        logger.info("Stopping", metadata: ["openRequests": .stringConvertible(load.openRequestCount)])
        guard time > .zero else { return }
        let end = ContinuousClock.now + time
        for await now in AsyncTimerSequence(interval: Self.interval, clock: .continuous)
        where now >= end || isInterrupted() && load.openRequestCount == 0 {
            return
        }
    }
}
