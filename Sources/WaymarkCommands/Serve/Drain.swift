import AsyncAlgorithms
import DeepLinkHTTP
import Logging
import ServiceLifecycle

/// The time in which the port stays open after the signal to stop, for as long as requests are under way: those who ask are
/// told that the server is not ready, and take their requests elsewhere.
///
/// It stands after the server in the service group, so it is asked to stop first, and the server once it has ended.
struct Drain: Service {
    /// The time between two counts of the open requests.
    private static let interval = Duration.milliseconds(50)

    /// The longest time that the port stays open, under whatever load: half of what requests in flight have.
    private static let maximum = Duration.seconds(5)

    let load: ServerLoad
    let logger: Logger

    func run() async throws {
        try await gracefulShutdown()
        load.drain()
        logger.info("Stopping", metadata: ["openRequests": "\(load.openRequestCount)"])
        let end = ContinuousClock.now + Self.maximum
        for await now in AsyncTimerSequence(interval: Self.interval, clock: .continuous)
        where load.openRequestCount == 0 || now >= end {
            return
        }
    }
}
