import CoreMetrics
import DeepLinkCore
import DeepLinkHTTP
import DeepLinkStorage
import Foundation
import Synchronization

/// The metrics of a server that are measured on request: of its store, its catalog and its process.
final class ServerMetrics: Sendable {
    /// The registry of the process, which libraries also use.
    let registry = MetricsRegistry()

    private let catalogVersion = Mutex<(text: String, gauge: Gauge)?>(nil)

    /// Makes the registry that of the process; once in its life.
    init() {
        MetricsSystem.bootstrap(registry)
        Gauge(label: ServerMetric.build.rawValue, dimensions: [("version", Version.text)]).record(1)
        Gauge(label: ServerMetric.startTime.rawValue).record(Date.now.timeIntervalSince1970)
    }

    /// Measures a store and a catalog from now on.
    func measure(_ store: any OpenStore, in catalog: LiveCatalog) {
        // Only existing values are measured: a store without a log has no log size.
        let log = store.measures.logByteCount.map { _ in Gauge(label: ServerMetric.storeLog.rawValue) }
        let age = store.measures.changeFeedAge.map { _ in Gauge(label: ServerMetric.changeFeedAge.rawValue) }
        let refused = Gauge(label: ServerMetric.catalogRefused.rawValue)
        let (memory, descriptors, maximum) = (
            Gauge(label: ServerMetric.residentMemory.rawValue), Gauge(label: ServerMetric.openDescriptors.rawValue),
            Gauge(label: ServerMetric.maximumDescriptors.rawValue)
        )
        registry.beforeText { [self] in
            let measures = store.measures
            if let bytes = measures.logByteCount { log?.record(bytes) }
            if let seconds = measures.changeFeedAge { age?.record(seconds) }
            note(catalog.current.version)
            refused.record(catalog.refusal == nil ? 0 : 1)
            if let bytes = ProcessStatus.residentByteCount { memory.record(bytes) }
            if let count = ProcessStatus.openDescriptorCount { descriptors.record(count) }
            if let count = ProcessStatus.maximumDescriptorCount { maximum.record(count) }
        }
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

/// The kernel's data about this process (proc(5)).
private enum ProcessStatus {
    static var residentByteCount: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.utf8.split(separator: UInt8(ascii: " ")).dropFirst().first.flatMap { Int(Substring($0)) }
            .map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    }

    static var openDescriptorCount: Int? {
        try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    static var maximumDescriptorCount: Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(exactly: limit.rlim_cur)
    }
}
