package import CoreMetrics
import Synchronization
import WaymarkCommands

/// The metrics of a process, as the backend of swift-metrics, and their text for Prometheus.
///
/// A counter is made once and kept by its user, so that counting is an atomic addition. A metric is a family of series,
/// one for each combination of labels. Beyond a total of ``maximumSeriesCount``, further series are accepted but not
/// kept, and `waymark_metrics_not_kept_total` counts them.
package final class MetricsRegistry: MetricsFactory, Sendable {
    /// The maximum number of series.
    package static let maximumSeriesCount = 50_000

    private struct State {
        var families: [String: MetricFamily] = [:]
        var seriesCount = 0
        var refreshers: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let notKept = CounterSeries()

    /// Creates an empty registry, which also counts the series beyond the maximum.
    package init() {
        let name = ServerMetric.metricsNotKept.rawValue
        state.withLock { $0.families[name] = MetricFamily(name: name, series: [[]: notKept]) }
    }

    /// Adds a callback that updates gauges before the text is written.
    package func beforeText(_ refresh: @Sendable @escaping () -> Void) {
        state.withLock { $0.refreshers.append(refresh) }
    }

    /// The text of all metrics, sorted by name (prometheus.io/docs/instrumenting/exposition_formats, 0.0.4).
    package var text: [UInt8] {
        for refresh in state.withLock(\.refreshers) { refresh() }
        let families = state.withLock { Array($0.families.values) }
        var text = PrometheusText()
        for family in families.sorted(by: { $0.name < $1.name }) { family.write(to: &text) }
        return text.bytes
    }

    // MARK: MetricsFactory

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(Self.total(label), dimensions: dimensions) { CounterSeries() } as? CounterSeries ?? CounterSeries()
    }

    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(Self.total(label), dimensions: dimensions) { TotalSeries() } as? TotalSeries ?? TotalSeries()
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        let series = series(Self.sound(label), dimensions: dimensions) {
            if aggregate { HistogramSeries(bounds: HistogramSeries.counts) } else { GaugeSeries() }
        }
        return series as? any RecorderHandler ?? GaugeSeries()
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let name = Self.sound(label)
        let series = series(name.hasSuffix("_seconds") ? name : name + "_seconds", dimensions: dimensions) {
            HistogramSeries(bounds: HistogramSeries.seconds)
        }
        return series as? HistogramSeries ?? HistogramSeries(bounds: HistogramSeries.seconds)
    }

    package func destroyCounter(_ handler: any CounterHandler) { forget(handler) }
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { forget(handler) }
    package func destroyRecorder(_ handler: any RecorderHandler) { forget(handler) }
    package func destroyTimer(_ handler: any TimerHandler) { forget(handler) }

    // MARK: Series

    private func series(
        _ name: String,
        dimensions: [(String, String)],
        make: () -> any MetricSeries
    ) -> any MetricSeries {
        let labels = dimensions.map { MetricLabel(name: Self.sound($0.0), value: $0.1) }
            .sorted { $0.name < $1.name }
        return state.withLock { state in
            if let known = state.families[name]?.series[labels] { return known }
            let new = make()
            // A family has one type.
            let type = state.families[name]?.series.first?.value.type
            guard state.seriesCount < Self.maximumSeriesCount, type == nil || type == new.type else {
                notKept.increment(by: 1)
                return new
            }
            state.families[name, default: MetricFamily(name: name)].series[labels] = new
            state.seriesCount += 1
            return new
        }
    }

    private func forget(_ handler: any AnyObject) {
        state.withLock { state in
            for (name, family) in state.families {
                for (labels, series) in family.series where series === handler {
                    state.families[name]?.series[labels] = nil
                    state.seriesCount -= 1
                    if state.families[name]?.series.isEmpty == true { state.families[name] = nil }
                    return
                }
            }
        }
    }

    /// Returns the name of a counter, which ends in `_total`.
    private static func total(_ label: String) -> String {
        let name = sound(label)
        return name.hasSuffix("_total") ? name : name + "_total"
    }

    /// Returns a name in which underscores replace the characters that Prometheus doesn't allow.
    private static func sound(_ name: String) -> String {
        let isSound: (Character) -> Bool = { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        let text = String(name.map { isSound($0) ? $0 : "_" })
        return text.first?.isNumber == true ? "_" + text : text
    }
}
