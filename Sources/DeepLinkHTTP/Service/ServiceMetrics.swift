package import CoreMetrics
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import NIOCore
import Synchronization

/// The metrics of answers and resolutions.
///
/// Labels are bounded: by the endpoints, the catalog's routes and gates, the codes of problems, and the methods that
/// HTTP names (RFC 9110 §9.1); a client's text never becomes a label.
package final class ServiceMetrics: Sendable {
    /// The labels of a counter of requests.
    private struct RequestKey: Hashable {
        let endpoint: String
        let method: String
        let status: Int
    }

    private struct Series {
        var requests: [RequestKey: Counter] = [:]
        var durations: [ByteText: Timer] = [:]
        var resolved: [ByteText: Counter] = [:]
        var gated: [ByteText: Counter] = [:]
        var gates: [ByteText: Counter] = [:]
        var failed: [ProblemCode: Counter] = [:]
    }

    private static let methods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    private let factory: any MetricsFactory
    private let writesText: @Sendable () -> [UInt8]
    private let series = Mutex(Series())
    private let continuations: Counter

    /// Creates metrics in a backend.
    ///
    /// - Parameters:
    ///   - factory: the backend.
    ///   - text: returns all metrics of the backend, as Prometheus reads them.
    package init(countingIn factory: any MetricsFactory, text: @Sendable @escaping () -> [UInt8]) {
        self.factory = factory
        writesText = text
        continuations = Counter(label: ServiceMetric.continuationsRedeemed.rawValue, dimensions: [], factory: factory)
    }

    /// The text of all metrics of the backend.
    var text: [UInt8] { writesText() }

    /// Returns the series in which answers with some labels are counted.
    func answers(_ labels: AnswerLabels) -> AnswerSeries {
        let (endpoint, status) = (labels.endpoint, labels.status)
        let method = labels.method.map { Self.methods.contains($0) ? $0.rawValue : "other" } ?? "none"
        let key = RequestKey(endpoint: endpoint, method: method, status: status)
        return series.withLock { series in
            AnswerSeries(
                labels: labels,
                count: find(key, in: &series.requests) {
                    makeCounter(.requests, [("endpoint", endpoint), ("method", method), ("status", String(status))])
                },
                durations: find(ByteText(endpoint), in: &series.durations) {
                    Timer(
                        label: ServiceMetric.requestDuration.rawValue,
                        dimensions: [("endpoint", endpoint)],
                        factory: factory
                    )
                }
            )
        }
    }

    /// Counts a resolved link.
    func resolved(_ route: String) {
        let counter = series.withLock {
            find(ByteText(route), in: &$0.resolved) {
                makeCounter(.resolutions, [("outcome", "resolved"), ("route", route)])
            }
        }
        counter.increment()
    }

    /// Counts a gated link.
    func gated(_ denial: Denial) {
        let (route, gate) = (denial.route, denial.gate?.level.name ?? "none")
        let counters = series.withLock { series in
            (
                find(ByteText(route), in: &series.gated) {
                    makeCounter(.resolutions, [("outcome", "gated"), ("route", route)])
                },
                find(ByteText(gate), in: &series.gates) { makeCounter(.gated, [("gate", gate)]) }
            )
        }
        counters.0.increment()
        counters.1.increment()
    }

    /// Counts a failed link.
    func failed(_ code: ProblemCode) {
        let counter = series.withLock {
            find(code, in: &$0.failed) {
                makeCounter(.resolutions, [("outcome", "failed"), ("problem", code.rawValue), ("route", "")])
            }
        }
        counter.increment()
    }

    /// Counts a granted continuation.
    func redeemed() { continuations.increment() }

    private func makeCounter(_ name: ServiceMetric, _ labels: [(String, String)]) -> Counter {
        Counter(label: name.rawValue, dimensions: labels, factory: factory)
    }

    private func find<Key, Metric>(_ key: Key, in known: inout [Key: Metric], make: () -> Metric) -> Metric {
        if let metric = known[key] { return metric }
        let metric = make()
        known[key] = metric
        return metric
    }
}
