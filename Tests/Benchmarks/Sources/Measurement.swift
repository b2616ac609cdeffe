import ThreadCounters

/// The measured times of a function.
struct Measurement {
    /// The number of samples: the median of an odd number is one of them.
    private static let sampleCount = 51

    /// The shortest time of a sample, in nanoseconds: the clock's own cost does not show in it.
    private static let sampleTime: UInt64 = 2_000_000

    let name: String

    /// Nanoseconds of processor time per call, one value for each sample, in ascending order.
    let times: [Double]

    /// Blocks of memory that a call asks for.
    let allocationCount: Double

    /// Calls a function until it is warm, then times it.
    init<Result>(_ name: String, _ body: () -> Result) {
        self.name = name
        var callCount = 1
        while Self.time(callCount, body) < Self.sampleTime { callCount *= 2 }
        let before = thread_allocations()
        for _ in 0..<callCount { consume(body()) }
        allocationCount = Double(thread_allocations() - before) / Double(callCount)
        times = (0..<Self.sampleCount).map { _ in Double(Self.time(callCount, body)) / Double(callCount) }.sorted()
    }

    private static func time<Result>(_ callCount: Int, _ body: () -> Result) -> UInt64 {
        let start = thread_nanoseconds()
        for _ in 0..<callCount { consume(body()) }
        return thread_nanoseconds() - start
    }

    /// The value below which a fraction of the samples lies, in nanoseconds.
    func quantile(_ fraction: Double) -> Double { times[Int(Double(times.count - 1) * fraction)] }

    /// The line that is printed: name, median, quartiles in nanoseconds, allocations per call.
    var line: String {
        let values = [0.5, 0.25, 0.75].map { rounded(quantile($0)) } + [rounded(allocationCount)]
        return ([name] + values).joined(separator: "\t")
    }

    private func rounded(_ number: Double) -> String {
        let tenths = Int(number * 10 + 0.5)
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// Uses a value in a way that the compiler cannot see through, so that it must be computed.
@inline(never)
@_optimize(none)
private func consume<Value>(_ value: Value) {}
