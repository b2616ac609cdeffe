import DeepLinkFormats
package import Logging
import Synchronization

/// The log of repeated failures, with at most one line a second, and the number of failures since the last line.
///
/// An unreachable store fails every request.
package final class FailureLog: Sendable {
    private struct State {
        var last: ContinuousClock.Instant?
        var skippedCount = 0
    }

    private let logger: Logger
    private let state = Mutex(State())

    /// Creates a log.
    package init(_ logger: Logger = Logger(label: "waymark") { _ in SwiftLogNoOpLogHandler() }) {
        self.logger = logger
    }

    /// Logs or counts the cause of a problem.
    ///
    /// A problem without a cause is the client's fault.
    func note(_ problem: Problem, of requestID: String) {
        guard let cause = problem.cause else { return }
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
        logger.error(
            "\(problem.code.title).",
            metadata: ["error": "\(cause())", "notLogged": .stringConvertible(skipped), "requestId": "\(requestID)"]
        )
    }
}
