import AsyncAlgorithms
import DeepLinkHTTP
import Foundation
import HTTPServer
import Logging
import ServiceLifecycle
import WaymarkCommands

/// The drain period, for which the port stays open after the signal to stop.
///
/// Readiness probes are answered as not ready, and other requests still succeed, while clients move to other servers.
/// The service follows the server in the service group, so it is stopped first, and the server after its end.
struct Drain: Service {
    /// The time between two checks for an early end.
    private static let interval = Duration.milliseconds(50)

    let load: ServerLoad

    /// The length of the drain period.
    let time: Duration

    /// Returns whether the stop was requested at a terminal.
    ///
    /// Then the server waits only for requests in progress.
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

/// The service that returns unused memory to the system.
///
/// The C library keeps freed memory for later. After thousands of half-sent heads or bodies, a process would hold
/// hundreds of megabytes forever. `malloc_trim` returns every free page of every arena (malloc_trim(3)). Libraries
/// without it return memory by themselves, or not at all.
struct HeapTrimmer: Service {
    private typealias Trim = @convention(c) (_ kept: Int) -> Int32

    /// The interval between two trims, so that freed memory is returned within a minute.
    private static let interval = Duration.seconds(30)

    /// The C library's function, which its Swift module lacks.
    private static let trim = dlsym(nil, "malloc_trim").map { unsafeBitCast($0, to: Trim.self) }

    func run() async throws {
        for await _ in AsyncTimerSequence(interval: Self.interval, clock: .continuous).cancelOnGracefulShutdown() {
            // On a thread that handles no requests.
            Thread.detachNewThread { _ = Self.trim?(0) }
        }
    }
}
