import Synchronization

/// A sum to which several threads add.
struct FloatingPointSum: ~Copyable, Sendable {
    private let bits = Atomic<UInt64>(0)

    /// The sum.
    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    /// Adds a number.
    func add(_ number: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + number).bitPattern
            let (isDone, found) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            guard !isDone else { return }
            old = found
        }
    }

    /// Replaces the sum.
    func replace(with number: Double) { bits.store(number.bitPattern, ordering: .relaxed) }
}
