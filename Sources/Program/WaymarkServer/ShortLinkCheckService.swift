import AsyncAlgorithms
import CoreMetrics
import DeepLinkCore
import DeepLinkFormats
import DeepLinkHTTP
import DeepLinkStorage
import Logging
import ServiceLifecycle
import WaymarkCommands

/// The service that checks the stored short links against each new catalog, and broken links again about every hour.
///
/// One server checks at a time.
struct ShortLinkCheckService: Service {
    /// The interval between two polls for a new catalog, and between two attempts to become the checking server.
    private static let interval = Duration.seconds(2)

    /// The number of polls between two updates of the count of broken links, which another server may have found: about
    /// a minute.
    private static let looksPerUpdate = 30

    /// The number of polls between two checks without a new catalog: about an hour.
    private static let looksPerCheck = 1800

    /// The maximum number of routes that the log names.
    private static let maximumNamedCount = 20

    let catalog: LiveCatalog
    let store: any OpenStore
    let logger: Logger
    let broken = Gauge(label: ServerMetric.brokenShortLinks.rawValue)
    let checked = Counter(label: ServerMetric.checkedShortLinks.rawValue)

    func run() async throws {
        let checking = ShortLinkChecker(store, now: SystemClock.now)
        let recovery: Logger.Message = "Short links are checked again."
        var failures = FailureSpell("Short links cannot be checked.", recovery: recovery, log: logger)
        var (version, looks) = (nil as String?, 0)
        for await _ in AsyncTimerSequence(interval: Self.interval, clock: .continuous).cancelOnGracefulShutdown() {
            let current = catalog.current
            guard current.hasShortLinks else { continue }
            let isNew = version?.bytewise != current.version.bytewise
            looks += 1
            do {
                if isNew || looks.isMultiple(of: Self.looksPerCheck) {
                    // A check may take long, and a server that stops does not wait for it.
                    let outcome = try await cancelWhenGracefulShutdown { [catalog] in
                        try await checking.check(current, because: isNew ? .newCatalog : .time) {
                            catalog.current.version.bytewise == current.version.bytewise
                        }
                    }
                    if case .done(let report) = outcome {
                        version = current.version
                        log(report, of: current)
                    }
                } else if looks.isMultiple(of: Self.looksPerUpdate) {
                    broken.record(try await store.shortLinkChecks().reduce(0) { $0 + $1.brokenCount })
                }
                failures.end()
            } catch is CancellationError {
                continue
            } catch {
                failures.note(error)
            }
        }
    }

    private func log(_ report: ShortLinkCheckReport, of catalog: RouteCatalog) {
        broken.record(report.brokenCount)
        checked.increment(by: Int64(report.checkedCount))
        guard report.checkedCount > 0 else { return }
        logger.info(
            "The short links that the catalog affects were checked.",
            metadata: [
                "checked": .stringConvertible(report.checkedCount), "broken": .stringConvertible(report.brokenCount),
                "catalogVersion": "\(catalog.version)",
            ]
        )
        for (route, count) in report.routes.prefix(Self.maximumNamedCount) {
            logger.warning(
                "The catalog breaks short links. GET /v1/short-links?state=broken lists them.",
                metadata: [
                    "route": "\(route)", "links": .stringConvertible(count), "catalogVersion": "\(catalog.version)",
                ]
            )
        }
    }
}
