import CoreMetrics
import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkHTTP
import DeepLinkStorage
import Foundation
import HTTPServer
import NIOCore
import Synchronization
import WaymarkCommands

/// The metrics of a server's store, catalog and process, which are measured on request.
final class ServerMetrics: Sendable {
    /// The registry of the process, which libraries also use.
    let registry = MetricsRegistry()

    private let catalogVersion = Mutex<(text: String, gauge: Gauge)?>(nil)

    /// Installs the registry for the process.
    ///
    /// This is only possible once.
    init() {
        MetricsSystem.bootstrap(registry)
        Gauge(label: ServerMetric.build.rawValue, dimensions: [("version", Version.text)]).record(1)
        Gauge(label: ServerMetric.startTime.rawValue).record(Date.now.timeIntervalSince1970)
    }

    /// Starts measuring a store, a catalog and the process.
    func measure(_ store: any OpenStore, in catalog: LiveCatalog) {
        // Only existing values are measured: a store without a log has no log size.
        if store.measures.logByteCount != nil { measure(.storeLog) { store.measures.logByteCount.map(Double.init) } }
        if store.measures.changeFeedAge != nil { measure(.changeFeedAge) { store.measures.changeFeedAge } }
        measure(.catalogRefused) { catalog.refusal == nil ? 0 : 1 }
        measure(.residentMemory) { ProcessStatus.residentByteCount.map(Double.init) }
        measure(.openDescriptors) { ProcessStatus.openDescriptorCount.map(Double.init) }
        measure(.maximumDescriptors) { ProcessStatus.maximumDescriptorCount.map(Double.init) }
        count(.processorTime) { ProcessStatus.processorSeconds }
        Gauge(label: ServerMetric.processors.rawValue).record(ProcessStatus.processorCount)
        registry.beforeText { [self] in note(catalog.current.version) }
    }

    /// Starts measuring how much of its limits a server uses.
    func measure(_ load: ServerLoad, maximumConnections: Int) {
        Gauge(label: ServerMetric.maximumRequestsInFlight.rawValue).record(load.maximumWork)
        Gauge(label: ServerMetric.maximumArrivingBytes.rawValue).record(load.arriving.limit)
        Gauge(label: ServerMetric.maximumConnections.rawValue).record(maximumConnections)
        measure(.requestsInFlight) { Double(load.workCount) }
        measure(.arrivingBytes) { Double(load.arriving.takenCount) }
        measure(.connections) { Double(load.openConnectionCount) }
    }

    /// Starts measuring which parts of a server work.
    func measure(_ health: ServiceHealth) {
        measure(.ready) { health.isReady ? 1 : 0 }
        for part in ServiceHealth.Part.allCases {
            measure(.degraded, by: [("part", part.rawValue)]) { health.fails(part) ? 1 : 0 }
        }
    }

    /// Starts measuring the keys of end users' tokens.
    func measure(_ endUsers: EndUserVerifier) {
        measure(.keys) { Double(endUsers.keyFreshness.count) }
        measure(.keyAge) { Double(endUsers.keyFreshness.age.components.seconds) }
    }

    /// Starts measuring a value, which the metric keeps where it becomes unknown.
    private func measure(
        _ metric: ServerMetric,
        by dimensions: [(String, String)] = [],
        value: @escaping @Sendable () -> Double?
    ) {
        let gauge = Gauge(label: metric.rawValue, dimensions: dimensions)
        registry.beforeText { if let value = value() { gauge.record(value) } }
    }

    /// Starts counting a total from another source.
    ///
    /// A lower total than before is ignored.
    func count(_ metric: ServerMetric, total: @escaping @Sendable () -> Double?) {
        let counter = MirroredCounter(metric)
        registry.beforeText { if let total = total() { counter.follow(total) } }
    }

    private func note(_ version: String) {
        catalogVersion.withLock { known in
            guard known?.text.bytewise != version.bytewise else { return }
            known?.gauge.destroy()
            let gauge = Gauge(label: ServerMetric.catalog.rawValue, dimensions: [("version", version)])
            gauge.record(1)
            known = (version, gauge)
        }
    }
}

/// A counter for a total from another source, which is read before the metrics are written.
private final class MirroredCounter: Sendable {
    private let counter: FloatingPointCounter
    private let last = Mutex(0.0)

    /// Creates a counter at zero in the registry of the process.
    init(_ metric: ServerMetric) {
        counter = FloatingPointCounter(label: metric.rawValue)
    }

    func follow(_ total: Double) {
        last.withLock { last in
            guard total > last else { return }
            counter.increment(by: total - last)
            last = total
        }
    }
}

/// The kernel's data about this process (proc(5), getrusage(2)).
enum ProcessStatus {
    /// The processor time of all threads since the process began, in seconds.
    static var processorSeconds: Double? {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return nil }
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
    }

    /// The number of processors that the process can use: fewer than the machine has in a container with a limit.
    static var processorCount: Int { System.coreCount }

    /// The resident memory, in bytes.
    static var residentByteCount: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.utf8.split(separator: UInt8(ascii: " ")).dropFirst().first.flatMap { Int(Substring($0)) }
            .map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    }

    /// The number of open descriptors.
    static var openDescriptorCount: Int? {
        try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// The maximum number of open descriptors.
    static var maximumDescriptorCount: Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(exactly: limit.rlim_cur)
    }
}
