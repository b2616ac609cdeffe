import CoreMetrics
import DeepLinkCore
import DeepLinkStorage
import DeepLinkUsers
import Logging

/// The users whose level the catalog in force doesn't have, so that it counts as the lowest: counted and logged.
struct UnknownLevels: Sendable {
    let store: any OpenStore
    let logger: Logger

    /// Returns the names of stored users that a catalog takes away, with the number of users; `nil` if they cannot be
    /// counted.
    func lost(by new: LevelLadder, from former: LevelLadder) async -> [(name: LevelName, count: Int)]? {
        guard former.names.contains(where: { new.level(stored: $0) == nil }) else { return [] }
        do {
            return try await store.grantCounts(at: Clock.now()).unknown(in: new)
                .filter { former.level(stored: $0.name) != nil }
        } catch {
            return nil
        }
    }

    /// Keeps the names of a catalog that comes in force, counts the users whose level it doesn't have, and logs them.
    ///
    /// A catalog with the standard levels over users who have no others is not counted for.
    func note(_ levels: LevelLadder) async {
        do {
            let kept = try await store.keptLevels()
            let isStandard = !levels.isDeclared && (kept ?? .standard).names == LevelLadder.standard.names
            if isStandard { return }
            try await store.keepLevels(levels)
            let unknown = try await store.grantCounts(at: Clock.now()).unknown(in: levels)
            Gauge(label: ServerMetric.unknownLevels.rawValue).record(unknown.reduce(0) { $0 + $1.count })
            for (name, count) in unknown { tell(name, count: count) }
        } catch {
            logger.warning("The users of unknown levels could not be counted.", metadata: ["error": "\(error)"])
        }
    }

    private func tell(_ name: LevelName, count: Int) {
        logger.warning(
            "The catalog lacks a level that stored users have; it counts as the lowest.",
            metadata: ["level": "\(name.text)", "users": .stringConvertible(count)]
        )
    }
}
