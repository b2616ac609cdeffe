package import CoreMetrics
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import HTTPTypes
import NIOCore
import Synchronization

/// The metrics of responses and resolutions.
///
/// Labels are bounded: by the endpoints, the catalog's routes and gates, the codes of problems, and the methods of HTTP
/// (RFC 9110 §9.1). A client's text never becomes a label.
package final class ServiceMetrics: Sendable {
    /// The labels of a counter of requests.
    private struct RequestKey: Hashable {
        let endpoint: String
        let method: String
        let status: Int
    }

    /// The labels of a counter of pages.
    private struct PageKey: Hashable {
        let outcome: PageVisit.Outcome
        let route: ByteText
    }

    private struct Series {
        var requests: [RequestKey: Counter] = [:]
        var durations: [ByteText: Timer] = [:]
        var resolved: [ByteText: Counter] = [:]
        var gated: [ByteText: Counter] = [:]
        var gates: [ByteText: Counter] = [:]
        var failed: [ProblemCode: Counter] = [:]
        var pages: [PageKey: Counter] = [:]
    }

    private static let methods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    private let factory: any MetricsFactory
    private let writesText: @Sendable () -> [UInt8]
    private let series = Mutex(Series())
    private let continuations: Counter
    private let arrivals: [Arrival: Counter]

    /// Creates metrics in a backend.
    ///
    /// - Parameters:
    ///   - factory: the backend.
    ///   - text: returns all metrics of the backend in the text format of Prometheus.
    package init(countingIn factory: any MetricsFactory, text: @Sendable @escaping () -> [UInt8]) {
        self.factory = factory
        writesText = text
        continuations = Counter(label: ServiceMetric.continuationsRedeemed.rawValue, dimensions: [], factory: factory)
        // All series exist from the start, so 0 is distinguishable from missing.
        let counters = Arrival.allCases.map { arrival in
            let dimensions = [("via", arrival.rawValue)]
            return (arrival, Counter(label: ServiceMetric.arrivals.rawValue, dimensions: dimensions, factory: factory))
        }
        arrivals = Dictionary(uniqueKeysWithValues: counters)
    }

    /// The text of all metrics of the backend.
    var text: [UInt8] { writesText() }

    /// Returns the series in which responses with some labels are counted.
    func answers(_ labels: AnswerLabels) -> AnswerSeries {
        let (endpoint, status) = (labels.endpoint, labels.status)
        let method = labels.method.map { Self.methods.contains($0) ? $0.rawValue : "other" } ?? "none"
        let key = RequestKey(endpoint: endpoint, method: method, status: status)
        return series.withLock { series in
            AnswerSeries(
                labels: labels,
                count: find(key, in: &series.requests) {
                    makeCounter(
                        .requests,
                        labels: [("endpoint", endpoint), ("method", method), ("status", String(status))]
                    )
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

    /// Returns the counter of resolved links to a route.
    func resolved(_ route: String) -> Counter {
        series.withLock {
            find(ByteText(route), in: &$0.resolved) {
                makeCounter(.resolutions, labels: [("outcome", "resolved"), ("route", route)])
            }
        }
    }

    /// Returns the counters of gated links to a route, and of links stopped by its gate.
    func gated(_ denial: Denial) -> [Counter] {
        let (route, gate) = (denial.route, denial.gate.map { denial.catalog.text(of: $0.gives) } ?? "none")
        return series.withLock { series in
            [
                find(ByteText(route), in: &series.gated) {
                    makeCounter(.resolutions, labels: [("outcome", "gated"), ("route", route)])
                },
                find(ByteText(gate), in: &series.gates) { makeCounter(.gated, labels: [("gate", gate)]) },
            ]
        }
    }

    /// Counts a failed link.
    func failed(_ code: ProblemCode) {
        let counter = series.withLock {
            find(code, in: &$0.failed) {
                makeCounter(.resolutions, labels: [("outcome", "failed"), ("problem", code.rawValue), ("route", "")])
            }
        }
        counter.increment()
    }

    /// Counts a deferred deep link that reached an app.
    func arrived(_ arrival: Arrival) { arrivals[arrival]?.increment() }

    /// Counts a page or redirect for a visitor of a link, by the route, or by an empty name without one.
    func visited(_ outcome: PageVisit.Outcome, route: String) {
        let counter = series.withLock {
            find(PageKey(outcome: outcome, route: ByteText(route)), in: &$0.pages) {
                makeCounter(.pages, labels: [("outcome", outcome.rawValue), ("route", route)])
            }
        }
        counter.increment()
    }

    /// Counts a granted continuation.
    func redeemed() { continuations.increment() }

    private func makeCounter(_ name: ServiceMetric, labels: [(String, String)]) -> Counter {
        Counter(label: name.rawValue, dimensions: labels, factory: factory)
    }

    private func find<Key, Metric>(_ key: Key, in known: inout [Key: Metric], make: () -> Metric) -> Metric {
        if let metric = known[key] { return metric }
        let metric = make()
        known[key] = metric
        return metric
    }
}

/// The labels by which responses are counted separately.
struct AnswerLabels {
    let status: Int
    let method: HTTPRequest.Method?

    /// The path of the endpoint with the names in it, or its substitute.
    let endpoint: String
}

/// The series in which responses with the same labels are counted.
final class AnswerSeries {
    let labels: AnswerLabels
    private let count: Counter
    private let durations: Timer

    init(labels: AnswerLabels, count: Counter, durations: Timer) {
        self.labels = labels
        self.count = count
        self.durations = durations
    }

    /// Counts a response.
    func note(_ duration: TimeAmount) {
        count.increment()
        durations.recordNanoseconds(duration.nanoseconds)
    }
}

/// A cache of series for a connection's responses.
///
/// Looking up a series by its texts costs more than the rest of the counting.
struct KnownAnswerSeries {
    /// The maximum number of cached series.
    ///
    /// Other series are looked up each time.
    private static let maximumCount = 8

    /// A series, with the endpoint itself, since comparing texts costs more.
    private struct Entry {
        let endpoint: Endpoint?
        let method: HTTPRequest.Method?
        let series: AnswerSeries
    }

    private var known: [Entry] = []

    /// Counts the response to a request, or to bytes that aren't a request.
    mutating func note(_ head: RequestHead?, status: Int, duration: TimeAmount, in metrics: ServiceMetrics) {
        let (endpoint, method) = (head?.destination.endpoint, head?.method)
        for entry in known
        where entry.endpoint === endpoint && entry.series.labels.status == status && entry.method == method {
            return entry.series.note(duration)
        }
        let labels = AnswerLabels(status: status, method: method, endpoint: endpoint?.path ?? "refused")
        let series = metrics.answers(labels)
        if known.count < Self.maximumCount {
            known.append(Entry(endpoint: endpoint, method: method, series: series))
        }
        series.note(duration)
    }
}

/// The path by which a deferred deep link reached the app.
enum Arrival: String, CaseIterable, Sendable {
    /// The referrer of Google Play.
    case referrer

    /// A text that a person pasted.
    case pasted

    /// Safari's banner.
    case banner

    /// Reads the field `arrival`, or returns `nil` if it is absent.
    ///
    /// - Throws: `Problem` with the code `invalid-request`.
    static func arrival(_ name: String?) throws(Problem) -> Arrival? {
        guard let name else { return nil }
        if let arrival = Arrival(bytewise: name) { return arrival }
        let names = allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        throw .invalidValue(field: "arrival", detail: "`\(name)` isn't a way of an arrival; send one of \(names).")
    }
}
