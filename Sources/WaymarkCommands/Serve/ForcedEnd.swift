import Dispatch
import Foundation
import Logging
import Synchronization

/// The end of a process that does not end by itself.
///
/// Whoever works on the processor, or writes to a log that nobody reads, cannot be interrupted, and may hold every thread
/// that would notice a signal. So this stands apart from all of them: where the time to stop is over, or at the second
/// Ctrl-C, the process ends where it is. Writes that were acknowledged are in the file by then; the next start checks it.
///
/// A second SIGTERM changes nothing: what starts services may pass one on twice.
final class ForcedEnd {
    /// The exit code of a process that did not stop in time, or was not given any.
    private static let code: Int32 = 1

    /// The time that the log may take to say why, in microseconds.
    private static let logTime: UInt32 = 200_000

    private let sources: [any DispatchSourceSignal]

    /// Returns whether the signal to stop was that of a terminal, SIGINT.
    let isInterrupted: @Sendable () -> Bool

    /// Watches for signals to stop, until it is given up.
    ///
    /// It traps no signal by itself: it has to be there before that is done, and does nothing until then.
    ///
    /// - Parameters:
    ///   - seconds: how long the process may take to stop.
    ///   - logger: where it is said that the process is ended.
    init(after seconds: Int, logger: Logger) {
        // A queue of its own has a thread of its own, whatever else is busy.
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
                    if !isFirst, number == SIGINT { Self.end("Asked to stop twice; ending at once.", logger) }
                    guard isFirst else { return }
                    queue.asyncAfter(deadline: .now() + .seconds(seconds)) {
                        Self.end("Not stopped within \(seconds) seconds; ending in the middle of what is done.", logger)
                    }
                }
                source.resume()
                return source
            }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// The signals that have come; set on one queue alone.
    private final class State: Sendable {
        private let first = Atomic(true)
        private let interrupted = Atomic(false)

        /// Whether none has come yet.
        var isFirst: Bool {
            get { first.load(ordering: .relaxed) }
            set { first.store(newValue, ordering: .relaxed) }
        }

        /// Whether SIGINT has come.
        var isInterrupted: Bool {
            get { interrupted.load(ordering: .relaxed) }
            set { interrupted.store(newValue, ordering: .relaxed) }
        }
    }

    private static func end(_ message: String, _ logger: Logger) {
        // The log may be what hangs.
        Thread.detachNewThread { logger.error("\(message)") }
        usleep(logTime)
        _exit(code)
    }
}
