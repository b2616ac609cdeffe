import AsyncAlgorithms
import Foundation
import ServiceLifecycle

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
