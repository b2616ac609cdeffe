import CoreMetrics
import Synchronization

/// A number that only increases.
final class CounterSeries: CounterHandler, Sendable {
    private let total = Atomic<Int64>(0)

    var value: Int64 { total.load(ordering: .relaxed) }

    func increment(by amount: Int64) { total.add(amount, ordering: .relaxed) }

    /// Starts again at zero, which Prometheus treats as a restart of the process.
    func reset() { total.store(0, ordering: .relaxed) }
}
