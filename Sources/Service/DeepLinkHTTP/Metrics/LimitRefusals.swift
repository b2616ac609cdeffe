package import CoreMetrics
package import HTTPServer

/// The counts of requests refused because of a limit.
///
/// All series exist from the start, so that an increase from zero is visible, and a limit that was never reached is
/// zero.
package final class LimitRefusals: Sendable {
    /// A limit of the server, by its name in the metric.
    package enum Limit: String, CaseIterable, Sendable {
        /// The number of requests processed at the same time.
        case requests

        /// The bytes of arriving requests, across all connections.
        case bytes

        /// The rate of a caller, or of an address without credentials.
        case caller

        /// The rate of invalid credentials of an address.
        case credentials

        /// The rate of pages of an address.
        case pages
    }

    private let counters: [Limit: Counter]

    /// Creates counts of zero.
    ///
    /// - Parameter factory: the metrics backend, by default none.
    package init(countingIn factory: any MetricsFactory = NOOPMetricsHandler.instance) {
        let counters = Limit.allCases.map { limit in
            let dimensions = [("limit", limit.rawValue)]
            return (limit, Counter(label: ServiceMetric.refusals.rawValue, dimensions: dimensions, factory: factory))
        }
        self.counters = Dictionary(uniqueKeysWithValues: counters)
    }

    /// Counts a refused request.
    func note(_ limit: Limit) { counters[limit]?.increment() }
}

extension ServerLoad {
    /// Creates counts of zero, with counts of requests that the limits refuse.
    package convenience init(
        maximumWork: Int,
        maximumArrivingBytes: Int = ByteBudget.defaultLimit,
        maximumStreamDuration: Duration = .seconds(600),
        refusals: LimitRefusals
    ) {
        self.init(
            maximumWork: maximumWork,
            maximumArrivingBytes: maximumArrivingBytes,
            maximumStreamDuration: maximumStreamDuration
        ) { limit in
            switch limit {
            case .requests: refusals.note(.requests)
            case .bytes: refusals.note(.bytes)
            }
        }
    }
}

/// A metric of the service.
///
/// The reference in the documentation has one line for each.
package enum ServiceMetric: String, CaseIterable, Sendable {
    case requests = "waymark_http_requests_total"
    case requestDuration = "waymark_http_request_duration_seconds"
    case refusals = "waymark_http_requests_refused_total"
    case resolutions = "waymark_resolutions_total"
    case gated = "waymark_gated_total"
    case continuationsRedeemed = "waymark_continuations_redeemed_total"
    case arrivals = "waymark_arrivals_total"
    case pages = "waymark_pages_total"

    /// The description that Prometheus shows, a single sentence.
    package var help: String {
        switch self {
        case .requests: "Answered requests, by endpoint, method and status."
        case .requestDuration: "Time from the head of a request to the end of its response, by endpoint."
        case .refusals: "Requests refused because of a limit, by limit."
        case .resolutions: "Resolved, gated and failed links, by outcome, problem and route."
        case .gated: "Gated links, by gate."
        case .continuationsRedeemed: "Granted continuations."
        case .arrivals: "Deferred deep links, by the way in which they reached the app."
        case .pages: "Responses to visitors of links, by outcome and route."
        }
    }
}
