import AsyncAlgorithms
import DeepLinkHTTP
import Logging
import ServiceLifecycle

/// The time in which the port stays open after the signal to stop: those who ask are told that the server is not ready,
/// are answered all the same, and take their next requests elsewhere.
///
/// It stands after the server in the service group, so it is asked to stop first, and the server once it has ended.
struct Drain: Service {
    /// The time between two looks at whether it may end before its time.
    private static let interval = Duration.milliseconds(50)

    let load: ServerLoad

    /// The time that the port stays open.
    let time: Duration

    /// Returns whether somebody at a terminal asked to stop, who waits only for what is under way.
    let isInterrupted: @Sendable () -> Bool

    let logger: Logger

    func run() async throws {
        try await gracefulShutdown()
        load.drain()
        logger.info("Stopping", metadata: ["openRequests": "\(load.openRequestCount)"])
        guard time > .zero else { return }
        let end = ContinuousClock.now + time
        for await now in AsyncTimerSequence(interval: Self.interval, clock: .continuous)
        where now >= end || isInterrupted() && load.openRequestCount == 0 {
            return
        }
    }
}
