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
        let log = store.measures.logByteCount.map { _ in Self.gauge(.storeLog) }
        let age = store.measures.changeFeedAge.map { _ in Self.gauge(.changeFeedAge) }
        let refused = Self.gauge(.catalogRefused)
        let (memory, descriptors, maximum) = (
            Self.gauge(.residentMemory), Self.gauge(.openDescriptors), Self.gauge(.maximumDescriptors)
        )
        let processorTime = MirroredCounter(.processorTime)
        Self.gauge(.processors).record(ProcessStatus.processorCount)
        registry.beforeText { [self] in
            let measures = store.measures
            if let bytes = measures.logByteCount { log?.record(bytes) }
            if let seconds = measures.changeFeedAge { age?.record(seconds) }
            note(catalog.current.version)
            refused.record(catalog.refusal == nil ? 0 : 1)
            if let seconds = ProcessStatus.processorSeconds { processorTime.follow(seconds) }
            if let bytes = ProcessStatus.residentByteCount { memory.record(bytes) }
            if let count = ProcessStatus.openDescriptorCount { descriptors.record(count) }
            if let count = ProcessStatus.maximumDescriptorCount { maximum.record(count) }
        }
    }

    /// Starts measuring how much of its limits a server uses.
    ///
    /// - Parameters:
    ///   - load: The server's load, with the limits of requests.
    ///   - maximumConnections: The maximum number of open connections.
    func measure(_ load: ServerLoad, maximumConnections: Int) {
        let (requests, bytes, connections) = (
            Self.gauge(.requestsInFlight), Self.gauge(.arrivingBytes), Self.gauge(.connections)
        )
        Self.gauge(.maximumRequestsInFlight).record(load.maximumWork)
        Self.gauge(.maximumArrivingBytes).record(load.arriving.limit)
        Self.gauge(.maximumConnections).record(maximumConnections)
        registry.beforeText {
            requests.record(load.workCount)
            bytes.record(load.arriving.takenCount)
            connections.record(load.openConnectionCount)
        }
    }

    /// Starts measuring which parts of a server work.
    func measure(_ health: ServiceHealth) {
        let ready = Self.gauge(.ready)
        let parts = ServiceHealth.Part.allCases.map { part in
            (part, Gauge(label: ServerMetric.degraded.rawValue, dimensions: [("part", part.rawValue)]))
        }
        registry.beforeText {
            ready.record(health.isReady ? 1 : 0)
            for (part, gauge) in parts { gauge.record(health.fails(part) ? 1 : 0) }
        }
    }

    /// Starts measuring the keys of end users' tokens.
    func measure(_ endUsers: EndUserVerifier) {
        let (count, age) = (Self.gauge(.keys), Self.gauge(.keyAge))
        registry.beforeText {
            let keys = endUsers.keyFreshness
            count.record(keys.count)
            age.record(Double(keys.age.components.seconds))
        }
    }

    private static func gauge(_ metric: ServerMetric) -> Gauge { Gauge(label: metric.rawValue) }

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
final class MirroredCounter: Sendable {
    private let counter: FloatingPointCounter
    private let last = Mutex(0.0)

    /// Creates a counter at zero in the registry of the process.
    init(_ metric: ServerMetric) {
        counter = FloatingPointCounter(label: metric.rawValue)
    }

    /// Increases the counter to a total.
    ///
    /// A lower total than before is ignored.
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
