import CoreMetrics
import DeepLinkCore
import DeepLinkStorage
import Logging
import WaymarkCommands

/// The stored users with a level or grant that the catalog in force lacks, which are counted and logged.
///
/// Such a level counts as the lowest one, and such a grant as absent.
struct UnknownLevels: Sendable {
    let store: any OpenStore
    let logger: Logger

    /// Returns the levels and grants of stored users that a new catalog removes, with the number of users.
    ///
    /// `nil` if counting fails.
    func lost(by new: AccessNames, from former: AccessNames) async -> [(name: String, count: Int)]? {
        let losesLevel = former.levels.names.contains { new.levels.level(stored: $0) == nil }
        let losesGrant = former.grants.written.contains { new.grants.writable($0.text) == nil }
        guard losesLevel || losesGrant else { return [] }
        do {
            let counts = try await store.accessCounts(at: SystemClock.now())
            let levels = counts.unknown(in: new.levels).filter { former.levels.level(stored: $0.name) != nil }
            let grants = counts.unknownGrants { new.grants.writable($0.text) != nil }
                .filter { former.grants.writable($0.name.text) != nil }
            return levels.map { ($0.name.text, $0.count) } + grants.map { ($0.name.text, $0.count) }
        } catch {
            return nil
        }
    }

    /// Stores the names of a catalog that comes into force, and counts and logs the users whose level or grant it
    /// lacks.
    ///
    /// Nothing is counted if the catalog has the standard levels and users have only these.
    func note(_ names: AccessNames) async {
        let levels = names.levels
        do {
            let (kept, keptGrants) = (try await store.keptLevels(), try await store.keptGrants())
            let isStandard = !levels.isDeclared && (kept ?? .standard).names == LevelLadder.standard.names
            if isStandard, names.grants.written.isEmpty, keptGrants.isEmpty { return }
            try await store.keepGrants(names.grants.written)
            if !isStandard { try await store.keepLevels(levels) }
            let counts = try await store.accessCounts(at: SystemClock.now())
            for (name, count) in counts.unknownGrants(besides: { names.grants.writable($0.text) != nil }) {
                log(name, count: count)
            }
            if isStandard { return }
            let unknown = counts.unknown(in: levels)
            Gauge(label: ServerMetric.unknownLevels.rawValue).record(unknown.reduce(0) { $0 + $1.count })
            for (name, count) in unknown { log(name, count: count) }
        } catch {
            logger.warning("The users of unknown levels could not be counted.", metadata: ["error": "\(error)"])
        }
    }

    private func log(_ name: GrantName, count: Int) {
        logger.warning(
            "The catalog lacks a grant that stored users hold; it counts as absent.",
            metadata: ["grant": "\(name.text)", "users": .stringConvertible(count)]
        )
    }

    private func log(_ name: LevelName, count: Int) {
        logger.warning(
            "The catalog lacks a level that stored users have; it counts as the lowest.",
            metadata: ["level": "\(name.text)", "users": .stringConvertible(count)]
        )
    }
}
