package import CoreMetrics
import DeepLinkCore
import DeepLinkFormats
package import DeepLinkReporting
import HTTPServer
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
        var resolved = CatalogCounters()
        var gated = CatalogCounters()
        var gates = CatalogCounters()
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
    func answers(_ labels: ResponseLabels) -> ResponseSeries {
        let (endpoint, status) = (labels.endpoint, labels.status)
        let method = labels.method.map { Self.methods.contains($0) ? $0.rawValue : "other" } ?? "none"
        let key = RequestKey(endpoint: endpoint, method: method, status: status)
        return series.withLock { series in
            ResponseSeries(
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

extension ServiceMetrics: LinkEventObserver {
    /// Counts a use of a link, even one that reports omit.
    package func observe(_ event: LinkEvent) {
        if let arrival = event.arrival { arrivals[arrival]?.increment() }
        if let page = event.page { return visited(page, event.outcome) }
        switch event.outcome {
        case .resolved(let link):
            resolved(link).increment()
            if event.traits.contains(.redeemed) { continuations.increment() }
        case .gated(let link): gated(link.denial)
        case .failed(let code, _): failed(code)
        }
    }

    /// Returns the counter of resolved links to a route.
    private func resolved(_ link: LinkEvent.Resolved) -> Counter {
        series.withLock {
            $0.resolved.counter(ofRoute: link.route, in: link.plan.catalog) { route in
                makeCounter(.resolutions, labels: [("outcome", "resolved"), ("route", route)])
            }
        }
    }

    /// Counts a gated link by its route and its gate.
    private func gated(_ denial: Denial) {
        let (route, gate) = series.withLock { series in
            (
                series.gated.counter(ofRoute: denial.routeNumber, in: denial.catalog) { route in
                    makeCounter(.resolutions, labels: [("outcome", "gated"), ("route", route)])
                },
                series.gates.counter(ofGate: denial.gate?.gives, in: denial.catalog) { gate in
                    makeCounter(.gated, labels: [("gate", gate)])
                }
            )
        }
        route.increment()
        gate.increment()
    }

    /// Counts a failed link.
    private func failed(_ code: ProblemCode) {
        let counter = series.withLock {
            find(code, in: &$0.failed) {
                makeCounter(.resolutions, labels: [("outcome", "failed"), ("problem", code.rawValue), ("route", "")])
            }
        }
        counter.increment()
    }

    /// Counts a page or redirect for a visitor of a link, by the route, or by an empty name without one.
    private func visited(_ page: PageVisit.Outcome, _ outcome: LinkEvent.Outcome) {
        var route = ""
        if case .resolved(let link) = outcome { route = link.plan.topRoute ?? "" }
        let counter = series.withLock {
            find(PageKey(outcome: page, route: ByteText(route)), in: &$0.pages) {
                makeCounter(.pages, labels: [("outcome", page.rawValue), ("route", route)])
            }
        }
        counter.increment()
    }
}

/// The counters with one label for each route, or for each gate.
///
/// The counters of the current catalog are found by number, which costs less than a lookup by name.
private struct CatalogCounters {
    private var named: [ByteText: Counter] = [:]
    private var catalog: RouteCatalog?
    private var numbered: [Counter?] = []

    /// Returns the counter of a route, or of an empty name without one.
    mutating func counter(ofRoute route: Int?, in catalog: RouteCatalog, make: (String) -> Counter) -> Counter {
        counter(
            route ?? catalog.routes.count,
            of: catalog.routes.count + 1,
            in: catalog,
            name: route.map { catalog.routes[$0].name } ?? "",
            make: make
        )
    }

    /// Returns the counter of a gate by the level or the grant that it gives, or of the name `none` without one.
    mutating func counter(ofGate gives: Attainment?, in catalog: RouteCatalog, make: (String) -> Counter) -> Counter {
        let number =
            switch gives {
            case nil: 0
            case .grant(let grant)?: 1 + Int(grant.place)
            case .level(let level)?: 1 + GrantList.maximumCount + Int(level.rank)
            }
        return counter(
            number,
            of: 2 + GrantList.maximumCount + Int(UInt8.max),
            in: catalog,
            name: gives.map { catalog.text(of: $0) } ?? "none",
            make: make
        )
    }

    private mutating func counter(
        _ number: Int,
        of count: @autoclosure () -> Int,
        in catalog: RouteCatalog,
        name: @autoclosure () -> String,
        make: (String) -> Counter
    ) -> Counter {
        if self.catalog !== catalog {
            self.catalog = catalog
            numbered = Array(repeating: nil, count: count())
        }
        if let known = numbered[number] { return known }
        let name = name()
        let counter = named[ByteText(name)] ?? make(name)
        named[ByteText(name)] = counter
        numbered[number] = counter
        return counter
    }
}

/// The labels by which responses are counted separately.
struct ResponseLabels {
    let status: Int
    let method: HTTPRequest.Method?

    /// The path of the endpoint with the names in it, or its substitute.
    let endpoint: String
}

/// The series in which responses with the same labels are counted.
final class ResponseSeries {
    let labels: ResponseLabels
    private let count: Counter
    private let durations: Timer

    init(labels: ResponseLabels, count: Counter, durations: Timer) {
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
struct ResponseSeriesCache {
    /// The maximum number of cached series.
    ///
    /// Other series are looked up each time.
    private static let maximumCount = 8

    /// A series, with the endpoint itself, since comparing texts costs more.
    private struct Entry {
        let endpoint: Endpoint?
        let method: HTTPRequest.Method?
        let series: ResponseSeries
    }

    private var known: [Entry] = []

    /// Counts the response to a request, or to bytes that aren't a request.
    mutating func note(
        _ head: RequestHead?,
        to endpoint: Endpoint?,
        status: Int,
        duration: TimeAmount,
        in metrics: ServiceMetrics
    ) {
        let method = head?.method
        for entry in known
        where entry.endpoint === endpoint && entry.series.labels.status == status && entry.method == method {
            return entry.series.note(duration)
        }
        let labels = ResponseLabels(status: status, method: method, endpoint: endpoint?.path ?? "refused")
        let series = metrics.answers(labels)
        if known.count < Self.maximumCount {
            known.append(Entry(endpoint: endpoint, method: method, series: series))
        }
        series.note(duration)
    }
}
