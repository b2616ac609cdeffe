package import CoreMetrics

/// The counts of requests refused because a limit was reached.
///
/// All series exist from the start, so that an increase from zero is seen, and a limit that was never reached is zero.
package final class LimitRefusals: Sendable {
    /// A limit of the server, as its metric names it.
    package enum Limit: String, CaseIterable, Sendable {
        /// The number of requests worked on at a time.
        case requests

        /// The bytes of arriving requests, over all connections.
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
    /// - Parameter factory: the backend that keeps them; by default none does.
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
