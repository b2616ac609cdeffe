import Foundation
import Synchronization

extension Process {
    private static let starts = Mutex(())

    /// Starts the program, one at a time: `run()` of Foundation on Linux has crashed where many threads were in it at once.
    ///
    /// - Throws: what `run()` throws.
    func start() throws {
        try Self.starts.withLock { _ in try run() }
    }
}
