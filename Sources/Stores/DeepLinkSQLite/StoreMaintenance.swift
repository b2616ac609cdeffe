import DeepLinkStorage
import Logging

/// The maintenance of a store while a server runs.
///
/// It checks the file once, searches for changes of other processes, and keeps the write-ahead log small.
struct StoreMaintenance: Sendable {
    /// The time between two searches for external changes.
    private static let interval = Duration.milliseconds(250)

    let store: SQLiteStore
    let logger: Logger

    /// Runs until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await check() }
            group.addTask { await watch() }
            group.addTask { await store.keepRetryingWrites() }
        }
    }

    private func check() async {
        guard store.refusal != nil else { return }
        logger.warning("The database is checked before changes are accepted.")
        do { try await attempt("check the database") { try await store.verify() } } catch {
            // The server stops.
        }
    }

    /// Searches without waiting for the check, which may take minutes.
    ///
    /// Levels are read from the cache only while searches continue.
    private func watch() async {
        var limits = LogLimitAttempts()
        do {
            while true {
                try await Task.sleep(for: Self.interval)
                try await attempt("look for changes of others") { try await store.pollExternalChanges() }
                guard limits.isDue() else { continue }
                try await attempt("limit the write-ahead log") {
                    guard limits.isWarning(isLimited: try await store.limitLog()) else { return }
                    logger.warning(
                        "The write-ahead log cannot be cut while an old state of the database is read.",
                        metadata: ["bytes": .stringConvertible(store.logByteCount)]
                    )
                }
            }
        } catch {
            // The server stops.
        }
    }

    /// Runs a step that will be repeated soon.
    private func attempt(_ name: String, step: () async throws -> Void) async throws {
        do {
            try await step()
        } catch {
            try Task.checkCancellation()
            logger.warning("Could not \(name).", metadata: ["error": "\(error)"])
        }
    }
}

/// The moments at which the write-ahead log is limited, and the failures that deserve a warning.
///
/// A reader that has an old state prevents a cut. Reads of the server itself end within milliseconds, so an attempt that
/// failed is repeated after each search for external changes. Only a backup, a check of the file or another process reads
/// for as long as ``searchesPerLimit`` searches.
struct LogLimitAttempts {
    /// The number of searches between two attempts, and of failures in a row between two warnings: every ten seconds.
    static let searchesPerLimit = 40

    private var searchCount = 0
    private var failureCount = 0

    /// Counts a search, and returns whether an attempt is due after it.
    mutating func isDue() -> Bool {
        searchCount += 1
        return failureCount > 0 || searchCount.isMultiple(of: Self.searchesPerLimit)
    }

    /// Counts an attempt.
    ///
    /// - Parameter isLimited: Whether no reader prevented it.
    /// - Returns: Whether to warn of the attempt.
    mutating func isWarning(isLimited: Bool) -> Bool {
        failureCount = isLimited ? 0 : failureCount + 1
        return failureCount > 0 && failureCount.isMultiple(of: Self.searchesPerLimit)
    }
}
