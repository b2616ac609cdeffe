package import DeepLinkCore
import DeepLinkFormats

/// A check that finds the stored short links which a new catalog breaks.
///
/// One of several servers checks at a time. Results are stored per shape with a fingerprint of the catalog. Any server,
/// even after a restart, rechecks only shapes with a changed fingerprint.
package struct ShortLinkChecker: Sendable {
    /// The cause of a check.
    package enum Cause: Sendable {
        /// A new catalog is in force on this server.
        case newCatalog

        /// Time has passed, in which links were made, changed and withdrawn.
        case time
    }

    /// The outcome of a check.
    package enum Outcome: Hashable, Sendable {
        /// All shapes are checked with the catalog.
        case done(ShortLinkCheckReport)

        /// The check must be retried: it is another server's turn, this server lost its turn, or a newer catalog came.
        case later
    }

    /// The length of a turn, and the time after which it is prolonged.
    private static let turn = (length: Duration.seconds(60), prolongedAfter: Duration.seconds(15))

    /// The short links, and the results of their checks.
    private let store: any ShortLinkStore & ShortLinkCheckStore

    /// Returns the current time.
    private let now: @Sendable () -> Timestamp

    /// Creates the check of a store.
    package init(_ store: any ShortLinkStore & ShortLinkCheckStore, now: @Sendable @escaping () -> Timestamp) {
        self.store = store
        self.now = now
    }

    /// Checks the links for which the catalog differs from the catalog of their last check.
    ///
    /// - Parameters:
    ///   - catalog: The catalog in force.
    ///   - cause: The cause. If it is `time`, only new shapes and shapes with broken links are checked, and none if
    ///     another catalog was checked meanwhile.
    ///   - isCurrent: Returns whether the catalog is still in force.
    /// - Returns: The findings, if all shapes are checked.
    /// - Throws: An error of the store.
    package func check(
        _ catalog: RouteCatalog,
        because cause: Cause,
        isCurrent: @Sendable () -> Bool
    ) async throws -> Outcome {
        guard var turn = try await store.takeCheckTurn(nil, for: Self.turn.length) else { return .later }
        var turnStart = ContinuousClock.now
        let results = try await store.shortLinkChecks()
        let known = Dictionary(results.map { ($0.shape, $0) }) { $1 }
        let shapes = try await store.shapeCounts().map(\.shape)
        let grounds = Dictionary(shapes.map { ($0, CatalogFingerprint.digest(of: $0, in: catalog)) }) { $1 }
        func differs(_ shape: ShortLinkShape) -> Bool { known[shape].map { $0.grounds != grounds[shape] } ?? true }
        func isDue(_ shape: ShortLinkShape) -> Bool {
            differs(shape) || cause == .time && (known[shape]?.brokenCount ?? 0) > 0
        }
        if cause == .time, shapes.contains(where: { known[$0] != nil && differs($0) }) {
            return .done(ShortLinkCheckReport(results))
        }
        var report = ShortLinkCheckReport(results.filter { !isDue($0.shape) && grounds[$0.shape] != nil })
        let pass = ShortLinkScan(store, isServing: true, now: now)
        for shape in shapes where isDue(shape) {
            var (brokenCount, isLost) = (0, false)
            try await pass.links(of: shape) { links in
                let time = now()
                for link in links {
                    if case .broken = ShortLinkState(of: link.contents, at: time, in: catalog) { brokenCount += 1 }
                }
                report.checkedCount += links.count
                if ContinuousClock.now - turnStart > Self.turn.prolongedAfter {
                    turnStart = .now
                    guard let next = try await store.takeCheckTurn(turn, for: Self.turn.length) else {
                        isLost = true
                        return false
                    }
                    turn = next
                }
                isLost = !isCurrent()
                return !isLost
            }
            guard !isLost else { return .later }
            let result = ShortLinkCheckResult(shape: shape, grounds: grounds[shape] ?? 0, brokenCount: brokenCount)
            if result != known[shape] { try await store.keep(result) }
            report.add(result)
        }
        // Erased links no longer count as broken.
        for result in results where result.brokenCount > 0 && grounds[result.shape] == nil {
            try await store.keep(ShortLinkCheckResult(shape: result.shape, grounds: result.grounds, brokenCount: 0))
        }
        return .done(report)
    }
}

/// The findings of a check.
package struct ShortLinkCheckReport: Hashable, Sendable {
    /// The number of links that were read.
    package fileprivate(set) var checkedCount = 0

    /// The number of broken links of each route.
    private var counts: [ByteText: Int] = [:]

    /// Creates the report of results.
    package init(_ results: [ShortLinkCheckResult] = []) {
        for result in results { add(result) }
    }

    /// The number of broken links.
    package var brokenCount: Int { counts.values.reduce(0, +) }

    /// The routes with broken links, most broken links first.
    package var routes: [(route: String, count: Int)] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key.string, $0.value) }
    }

    fileprivate mutating func add(_ result: ShortLinkCheckResult) {
        if result.brokenCount > 0 { counts[result.shape.route.bytewise, default: 0] += result.brokenCount }
    }
}
