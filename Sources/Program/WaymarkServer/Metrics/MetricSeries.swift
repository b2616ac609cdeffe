import CoreMetrics
import DeepLinkHTTP
import DeepLinkStorage
import HTTPServer
import Synchronization
import WaymarkCommands

/// The values of one combination of labels.
protocol MetricSeries: AnyObject, Sendable {
    /// The name of the type in Prometheus' text format.
    var type: String { get }

    /// Writes the samples.
    func write(_ name: String, labels: [MetricLabel], to text: inout PrometheusText)
}

/// The numbers of values below a list of bounds, with the sum of all values.
final class HistogramSeries: MetricSeries, RecorderHandler, TimerHandler {
    /// The bounds for durations, in seconds: from responses out of memory to clients' time limits.
    static let seconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 10]

    /// The bounds for counts.
    static let counts = [1.0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192]

    private let bounds: [Double]

    /// The numbers of values up to each bound and above the previous one.
    ///
    /// The last bucket has all larger values.
    private let buckets: [CounterSeries]

    private let sum = FloatingPointSum()

    var type: String { "histogram" }

    /// Creates an empty histogram.
    init(bounds: [Double]) {
        self.bounds = bounds
        buckets = (0...bounds.count).map { _ in CounterSeries() }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        var index = 0
        while index < bounds.count, bounds[index] < value { index += 1 }
        buckets[index].increment(by: 1)
        sum.add(value)
    }

    /// Writes a sample for each bucket, which includes all lower ones, and the sum and the number of values.
    func write(_ name: String, labels: [MetricLabel], to text: inout PrometheusText) {
        var count: Int64 = 0
        for (index, bucket) in buckets.enumerated() {
            count += bucket.value
            let bound = index < bounds.count ? PrometheusText.number(bounds[index]) : "+Inf"
            let labels = labels + [MetricLabel(name: "le", value: bound)]
            text.sample(name + "_bucket", labels: labels, value: Double(count))
        }
        text.sample(name + "_sum", labels: labels, value: sum.value)
        text.sample(name + "_count", labels: labels, value: Double(count))
    }
}

/// A number that only increases.
final class CounterSeries: MetricSeries, CounterHandler {
    private let total = Atomic<Int64>(0)

    var type: String { "counter" }
    var value: Int64 { total.load(ordering: .relaxed) }

    func increment(by amount: Int64) { total.add(amount, ordering: .relaxed) }

    func write(_ name: String, labels: [MetricLabel], to text: inout PrometheusText) {
        text.sample(name, labels: labels, value: Double(value))
    }

    /// Starts again at zero, which Prometheus treats as a restart of the process.
    func reset() { total.store(0, ordering: .relaxed) }
}

/// A floating-point number that only increases.
final class TotalSeries: MetricSeries, FloatingPointCounterHandler {
    private let total = FloatingPointSum()

    var type: String { "counter" }

    func increment(by amount: Double) { total.add(amount) }

    func write(_ name: String, labels: [MetricLabel], to text: inout PrometheusText) {
        text.sample(name, labels: labels, value: total.value)
    }

    /// Starts again at zero, which Prometheus treats as a restart of the process.
    func reset() { total.replace(with: 0) }
}

/// The current value of a number.
final class GaugeSeries: MetricSeries, RecorderHandler {
    private let number = FloatingPointSum()

    var type: String { "gauge" }

    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { number.replace(with: value) }

    func write(_ name: String, labels: [MetricLabel], to text: inout PrometheusText) {
        text.sample(name, labels: labels, value: number.value)
    }
}

/// The series of one metric.
struct MetricFamily: Sendable {
    let name: String
    var series: [[MetricLabel]: any MetricSeries] = [:]

    /// Writes description, type and samples, sorted by labels.
    func write(to text: inout PrometheusText) {
        guard let type = series.first?.value.type else { return }
        text.describe(name, help: Self.help(of: name), type: type)
        for (labels, series) in series.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            series.write(name, labels: labels, to: &text)
        }
    }

    /// Returns the description of a metric, from the target that records it.
    private static func help(of name: String) -> String {
        ServerMetric(rawValue: name)?.help ?? ServiceMetric(rawValue: name)?.help ?? StoreMetric(rawValue: name)?.help
            ?? "A metric of a library."
    }
}

/// A label of a series: a name and a value.
struct MetricLabel: Hashable, Comparable, Sendable {
    let name: String
    let value: String

    static func < (one: MetricLabel, other: MetricLabel) -> Bool { (one.name, one.value) < (other.name, other.value) }
}

/// A sum to which several threads add.
struct FloatingPointSum: ~Copyable, Sendable {
    private let bits = Atomic<UInt64>(0)

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

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

/// Metrics in Prometheus' text format (prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4).
struct PrometheusText {
    private(set) var bytes: [UInt8] = []

    /// Writes the description of a metric, before its samples.
    mutating func describe(_ name: String, help: String, type: String) {
        write("# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(type)\n")
    }

    /// Writes one sample.
    mutating func sample(_ name: String, labels: [MetricLabel], value: Double) {
        write(name)
        if !labels.isEmpty {
            write("{")
            for (index, label) in labels.enumerated() {
                write("\(index == 0 ? "" : ",")\(label.name)=\"\(Self.escaped(label.value, quotes: true))\"")
            }
            write("}")
        }
        write(" \(Self.number(value))\n")
    }

    /// Returns a number as text, without a superfluous fraction.
    static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
