import DeepLinkHTTP
import DeepLinkStorage

/// The series of one metric.
struct MetricFamily: Sendable {
    let name: String
    var series: [[MetricLabel]: MetricSeries] = [:]

    /// Writes help, type and samples, in the order of the labels.
    func write(to text: inout PrometheusText) {
        guard let type = series.first?.value.type else { return }
        text.describe(name, help: Self.help(of: name), type: type)
        for (labels, series) in series.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            switch series {
            case .counter(let counter): text.sample(name, labels: labels, value: Double(counter.value))
            case .total(let total): text.sample(name, labels: labels, value: total.value)
            case .gauge(let gauge): text.sample(name, labels: labels, value: gauge.value)
            case .histogram(let histogram): histogram.write(name, labels: labels, to: &text)
            }
        }
    }

    /// Returns the description of a metric, from the target that records it.
    private static func help(of name: String) -> String {
        ServerMetric(rawValue: name)?.help ?? ServiceMetric(rawValue: name)?.help ?? StoreMetric(rawValue: name)?.help
            ?? "A metric of a library."
    }
}

/// A name with a value, of a series.
struct MetricLabel: Hashable, Comparable, Sendable {
    let name: String
    let value: String

    static func < (one: MetricLabel, other: MetricLabel) -> Bool { (one.name, one.value) < (other.name, other.value) }
}
