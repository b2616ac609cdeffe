import DeepLinkStorage
import Logging

/// The maintenance of a store while a server runs.
///
/// It checks the file once, searches for changes of other processes, and keeps the write-ahead log small.
struct StoreMaintenance: Sendable {
    /// The time between two searches for external changes.
    private static let interval = Duration.milliseconds(250)

    /// The number of searches between two checks of the log's size: every ten seconds.
    private static let pollsPerLimit = 40

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
        do {
            for poll in 1... {
                try await Task.sleep(for: Self.interval)
                try await attempt("look for changes of others") { try await store.pollExternalChanges() }
                if poll.isMultiple(of: Self.pollsPerLimit) {
                    try await attempt("limit the write-ahead log") { try await store.limitLog() }
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
