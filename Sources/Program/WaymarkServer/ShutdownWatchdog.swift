import Dispatch
import Foundation
import Logging
import Synchronization
import WaymarkCommands

/// The forced end of a process that doesn't stop by itself.
///
/// Code that is computing, or blocked on a full log pipe, cannot be interrupted, and may block every thread that would
/// notice a signal. This type depends on none of them: after the time to stop, or at the second Ctrl-C, the process
/// ends immediately. Acknowledged writes are in the file by then, and the next start checks it.
///
/// A second SIGTERM is ignored, since supervisors may pass one on twice.
final class ShutdownWatchdog {
    /// The exit code of a process that did not stop in time, or was interrupted twice.
    private static let code: Int32 = 1

    /// The time allowed for logging the reason, in microseconds.
    private static let logTime: UInt32 = 200_000

    private let sources: [any DispatchSourceSignal]

    /// Returns whether the signal to stop came from a terminal (SIGINT).
    let isInterrupted: @Sendable () -> Bool

    /// Watches for signals to stop, until it is cancelled.
    ///
    /// It traps no signal itself. It has to exist before signals are trapped, and does nothing until then.
    ///
    /// - Parameters:
    ///   - seconds: The time that the process has to stop.
    ///   - logger: The logger for the forced end.
    init(after seconds: Int, logger: Logger) {
        // A separate queue has a separate thread, independent of other work.
        let queue = DispatchQueue(label: "waymark.forced-end")
        let state = State()
        isInterrupted = { state.isInterrupted }
        sources = [SIGTERM, SIGINT]
            .map { number in
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { @Sendable in
                    let isFirst = state.isFirst
                    state.isFirst = false
                    if number == SIGINT { state.isInterrupted = true }
                    if !isFirst, number == SIGINT { Self.end("Asked to stop twice. Ending now.", logger: logger) }
                    guard isFirst else { return }
                    queue.asyncAfter(deadline: .now() + .seconds(seconds)) {
                        Self.end("Not stopped within \(seconds) seconds. Ending with unfinished work.", logger: logger)
                    }
                }
                source.resume()
                return source
            }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// The received signals, which only one queue sets.
    private final class State: Sendable {
        private let first = Atomic(true)
        private let interrupted = Atomic(false)

        /// Whether no signal was received so far.
        var isFirst: Bool {
            get { first.load(ordering: .relaxed) }
            set { first.store(newValue, ordering: .relaxed) }
        }

        /// Whether SIGINT was received.
        var isInterrupted: Bool {
            get { interrupted.load(ordering: .relaxed) }
            set { interrupted.store(newValue, ordering: .relaxed) }
        }
    }

    private static func end(_ message: String, logger: Logger) {
        // The log may be the cause of the hang.
        Thread.detachNewThread { logger.error("\(message)") }
        usleep(logTime)
        _exit(code)
    }
}
