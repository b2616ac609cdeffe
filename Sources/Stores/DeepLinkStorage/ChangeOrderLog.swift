import DeepLinkCore
package import Logging
import Synchronization

/// The log of out-of-order changes and of clocks that were ahead.
///
/// At most one line of each kind is logged per second, with the number of lines left out since the last. Lines do not
/// name users.
package final class ChangeOrderLog: Sendable {
    /// The lines of one kind: the time of the last one logged, and the number left out since.
    private struct Lines {
        var last: ContinuousClock.Instant?
        var skippedCount = 0

        /// Counts a line.
        ///
        /// - Returns: The number of lines left out before it, or `nil` if it is left out itself.
        mutating func admit(at now: ContinuousClock.Instant) -> Int? {
            guard last.map({ now - $0 >= .seconds(1) }) ?? true else {
                skippedCount += 1
                return nil
            }
            defer { self = Lines(last: now) }
            return skippedCount
        }
    }

    private let logger: Logger
    private let state = Mutex((late: Lines(), ahead: Lines()))

    /// Creates a log.
    ///
    /// The default logger discards everything.
    package init(_ logger: Logger = Logger(label: "waymark") { _ in SwiftLogNoOpLogHandler() }) {
        self.logger = logger
    }

    /// Logs the irregularities of a transaction.
    package func note(_ irregularities: [OrderIrregularity]) {
        for irregularity in irregularities { note(irregularity) }
    }

    private func note(_ irregularity: OrderIrregularity) {
        switch irregularity {
        case .ahead(let stored, let now):
            guard let skipped = state.withLock({ $0.ahead.admit(at: .now) }) else { return }
            logger.warning(
                """
                A stored moment is too far ahead of the clock, and counts as the present: a clock was ahead when it was \
                written, or is behind now.
                """,
                metadata: [
                    "stored": "\(stored.rfc3339)", "now": "\(now.rfc3339)", "notLogged": .stringConvertible(skipped),
                ]
            )
        case .late(let asOf, let stored):
            guard let skipped = state.withLock({ $0.late.admit(at: .now) }) else { return }
            logger.notice(
                "A dated change was left out: what is stored counts as of a later moment.",
                metadata: [
                    "at": "\(asOf.rfc3339)", "stored": "\(stored.rfc3339)", "notLogged": .stringConvertible(skipped),
                ]
            )
        }
    }
}
