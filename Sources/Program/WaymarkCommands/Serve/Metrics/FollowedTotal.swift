import CoreMetrics
import Synchronization

/// A counter of a total that is kept elsewhere, and read before the metrics are written.
final class FollowedTotal: Sendable {
    private let counter: FloatingPointCounter
    private let last = Mutex(0.0)

    /// Creates a counter at zero in the registry of the process.
    init(_ metric: ServerMetric) {
        counter = FloatingPointCounter(label: metric.rawValue)
    }

    /// Increases the counter to a total; a lower total than before changes nothing.
    func follow(_ total: Double) {
        last.withLock { last in
            guard total > last else { return }
            counter.increment(by: total - last)
            last = total
        }
    }
}
