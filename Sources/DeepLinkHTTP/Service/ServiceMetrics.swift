import CoreMetrics
import DeepLinkCore
import DeepLinkFormats
package import DeepLinkMetrics
import HTTPTypes
import NIOCore
import Synchronization

/// What is counted of answers and resolutions.
///
/// Labels are bounded: by the endpoints, the catalog's routes and gates, the codes of problems, and the methods that HTTP
/// names (RFC 9110 §9.1); what a client writes is none.
package final class ServiceMetrics: Sendable {
    /// The labels of a counter of requests.
    private struct RequestKey: Hashable {
        let endpoint: String
        let method: String
        let status: Int
    }

    /// The labels of a counter of resolutions.
    private struct ResolutionKey: Hashable {
        let outcome: String
        let route: String
    }

    private struct Series {
        var requests: [RequestKey: Counter] = [:]
        var durations: [ByteText: Timer] = [:]
        var resolutions: [ResolutionKey: Counter] = [:]

        /// Those of links that lead to a route, as nearly all do.
        var resolved: [ByteText: Counter] = [:]
        var denials: [ByteText: Counter] = [:]
    }

    private static let methods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    private let registry: MetricsRegistry
    private let series = Mutex(Series())
    private let continuations: Counter

    /// Counts in a registry.
    package init(_ registry: MetricsRegistry) {
        self.registry = registry
        continuations = Counter(label: MetricName.continuationsRedeemed.rawValue, dimensions: [], factory: registry)
    }

    /// The text of all metrics of the registry.
    var text: [UInt8] { registry.text }

    /// Returns where answers with some labels are counted.
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
                        label: MetricName.requestDuration.rawValue,
                        dimensions: [("endpoint", endpoint)],
                        factory: registry
                    )
                }
            )
        }
    }

    /// Counts a link that leads to a route.
    func resolved(_ route: String) {
        let counter = series.withLock {
            find(ByteText(route), in: &$0.resolved) {
                makeCounter(.resolutions, [("outcome", "resolved"), ("route", route)])
            }
        }
        counter.increment()
    }

    /// Counts a link that a level keeps out.
    func denied(_ denial: Denial) {
        count(ProblemCode.insufficientAuthorizationLevel.rawValue, denial.route)
        let gate = denial.gate?.level.name ?? "none"
        let counter = series.withLock {
            find(ByteText(gate), in: &$0.denials) { makeCounter(.denials, [("gate", gate)]) }
        }
        counter.increment()
    }

    /// Counts a link that cannot be resolved.
    func failed(_ code: ProblemCode) { count(code.rawValue, "") }

    /// Counts a continuation that is granted.
    func redeemed() { continuations.increment() }

    private func count(_ outcome: String, _ route: String) {
        let key = ResolutionKey(outcome: outcome, route: route)
        let counter = series.withLock { series in
            find(key, in: &series.resolutions) { makeCounter(.resolutions, [("outcome", outcome), ("route", route)]) }
        }
        counter.increment()
    }

    private func makeCounter(_ name: MetricName, _ labels: [(String, String)]) -> Counter {
        Counter(label: name.rawValue, dimensions: labels, factory: registry)
    }

    private func find<Key, Metric>(_ key: Key, in known: inout [Key: Metric], make: () -> Metric) -> Metric {
        if let metric = known[key] { return metric }
        let metric = make()
        known[key] = metric
        return metric
    }
}
