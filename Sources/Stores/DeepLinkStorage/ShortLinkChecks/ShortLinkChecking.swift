package import DeepLinkCore
import DeepLinkFormats

/// The check of stored short links by a new catalog: which of them it breaks.
///
/// Of several servers one does it, in turns. What it finds is kept for each shape of stacks beside a digest of the part of
/// the catalog that it was found by, so that the next catalog's check reads only the shapes that it concerns, whichever
/// server comes by it, and be it after a restart.
package struct ShortLinkChecking: Sendable {
    /// The cause of a check.
    package enum Cause: Sendable {
        /// A catalog that has come in force here.
        case newCatalog

        /// The passing of time: links were made, changed and withdrawn.
        case time
    }

    /// The outcome of a check.
    package enum Outcome: Hashable, Sendable {
        /// All shapes are checked by the catalog.
        case done(ShortLinkCheckReport)

        /// Another server's turn has not ended, or this one's was lost, or a newer catalog came; to be tried again.
        case later
    }

    /// The length of a turn, which is prolonged after a part of it.
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

    /// Checks the links whose shapes a catalog concerns in another way than the one of their last check.
    ///
    /// - Parameters:
    ///   - catalog: the catalog in force.
    ///   - cause: the cause. Where it is time, shapes that were not known yet and those with broken links are checked, and
    ///     nothing if another catalog was checked meanwhile.
    ///   - isCurrent: returns whether the catalog is still in force.
    /// - Returns: the findings, if all shapes are checked.
    /// - Throws: an error of the store.
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
        let grounds = Dictionary(shapes.map { ($0, ShortLinkGrounds.digest(of: $0, in: catalog)) }) { $1 }
        func differs(_ shape: ShortLinkShape) -> Bool { known[shape].map { $0.grounds != grounds[shape] } ?? true }
        func isDue(_ shape: ShortLinkShape) -> Bool {
            differs(shape) || cause == .time && (known[shape]?.brokenCount ?? 0) > 0
        }
        if cause == .time, shapes.contains(where: { known[$0] != nil && differs($0) }) {
            return .done(ShortLinkCheckReport(results))
        }
        var report = ShortLinkCheckReport(results.filter { !isDue($0.shape) && grounds[$0.shape] != nil })
        let pass = ShortLinkPass(store, isServing: true, now: now)
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
            let result = ShortLinkCheck(shape: shape, grounds: grounds[shape] ?? 0, brokenCount: brokenCount)
            if result != known[shape] { try await store.keep(result) }
            report.add(result)
        }
        // Links that were erased are no longer broken.
        for result in results where result.brokenCount > 0 && grounds[result.shape] == nil {
            try await store.keep(ShortLinkCheck(shape: result.shape, grounds: result.grounds, brokenCount: 0))
        }
        return .done(report)
    }
}

/// The findings of a check.
package struct ShortLinkCheckReport: Hashable, Sendable {
    /// The number of links that were read.
    package fileprivate(set) var checkedCount = 0

    /// The numbers of broken links by route.
    private var counts: [ByteText: Int] = [:]

    /// Creates the report of results.
    package init(_ results: [ShortLinkCheck] = []) {
        for result in results { add(result) }
    }

    /// The number of broken links.
    package var brokenCount: Int { counts.values.reduce(0, +) }

    /// The routes with broken links, the most first.
    package var routes: [(route: String, count: Int)] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key.string, $0.value) }
    }

    fileprivate mutating func add(_ result: ShortLinkCheck) {
        if result.brokenCount > 0 { counts[result.shape.route.bytewise, default: 0] += result.brokenCount }
    }
}
