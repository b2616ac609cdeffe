import Logging
import Synchronization

/// Logs what keeps failing at most once a second, with how often it failed since: a store that is out of reach fails
/// every request.
final class FailureLog: Sendable {
    private struct State {
        var last: ContinuousClock.Instant?
        var skippedCount = 0
    }

    private let state = Mutex(State())

    /// Logs a failure, or counts it.
    func report(_ message: String, _ cause: any Error, to logger: Logger) {
        let skipped: Int? = state.withLock { state in
            let now = ContinuousClock.now
            guard state.last.map({ now - $0 >= .seconds(1) }) ?? true else {
                state.skippedCount += 1
                return nil
            }
            let skipped = state.skippedCount
            state = State(last: now)
            return skipped
        }
        guard let skipped else { return }
        logger.error("\(message)", metadata: ["error": "\(cause)", "notLogged": "\(skipped)"])
    }
}
