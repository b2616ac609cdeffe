import CoreMetrics
import Synchronization

/// A number with its current value.
final class GaugeSeries: RecorderHandler, Sendable {
    private let bits = Atomic<UInt64>(0)

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
}
