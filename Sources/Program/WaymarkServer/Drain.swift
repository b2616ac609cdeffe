import AsyncAlgorithms
import DeepLinkHTTP
import Foundation
import Logging
import ServiceLifecycle
import WaymarkCommands

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

/// The return of unused memory to the system.
///
/// The C library keeps freed memory for later: after thousands of half-sent heads or bodies a process would hold
/// hundreds of megabytes for ever. `malloc_trim` returns every free page of every arena (malloc_trim(3)); libraries
/// without it return memory by themselves, or not at all.
struct MemoryMaintenance: Service {
    private typealias Trim = @convention(c) (_ kept: Int) -> Int32

    /// The time between two returns of memory: freed memory is returned within a minute.
    private static let interval = Duration.seconds(30)

    /// The C library's function, which the C library's module lacks.
    private static let trim = dlsym(nil, "malloc_trim").map { unsafeBitCast($0, to: Trim.self) }

    func run() async throws {
        for await _ in AsyncTimerSequence(interval: Self.interval, clock: .continuous).cancelOnGracefulShutdown() {
            // On a thread that answers no requests.
            Thread.detachNewThread { _ = Self.trim?(0) }
        }
    }
}
