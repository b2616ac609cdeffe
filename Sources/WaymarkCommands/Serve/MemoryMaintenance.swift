import AsyncAlgorithms
import Foundation
import ServiceLifecycle

/// The return of memory to the system that is no longer in use.
///
/// The C library keeps what is freed for later: after thousands of half-sent heads or bodies a process would hold hundreds of
/// megabytes for ever. `malloc_trim` gives back every free page of every arena (malloc_trim(3)); libraries without it do so
/// by themselves, or not at all.
struct MemoryMaintenance: Service {
    private typealias Trim = @convention(c) (_ kept: Int) -> Int32

    /// The time between two returns of memory: what is freed is given back within a minute.
    private static let interval = Duration.seconds(30)

    /// The C library's function, which the module of the C library leaves out.
    private static let trim = dlsym(nil, "malloc_trim").map { unsafeBitCast($0, to: Trim.self) }

    func run() async throws {
        for await _ in AsyncTimerSequence(interval: Self.interval, clock: .continuous).cancelOnGracefulShutdown() {
            // Off the threads that answer requests.
            Thread.detachNewThread { _ = Self.trim?(0) }
        }
    }
}
