package import Logging

/// Does what a store needs while a server runs: checks the file once, looks for changes of other processes and
/// keeps the write-ahead log small.
package struct StoreUpkeep: Sendable {
    /// How often changes of others are looked for.
    private static let interval = Duration.milliseconds(250)

    /// Every so many looks, the size of the log is looked at: every ten seconds.
    private static let looksPerLimit = 40

    private let store: SQLiteUserStateStore
    private let logger: Logger

    /// Looks after a store.
    package init(_ store: SQLiteUserStateStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Works until it is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await check() }
            group.addTask { await watch() }
        }
    }

    private func check() async {
        guard store.refusal != nil else { return }
        logger.warning("The database is checked before changes are accepted.")
        do { try await attempt("check the database") { try await store.verify() } } catch {
            // The server stops.
        }
    }

    /// Does not wait for the check, which may take minutes: levels are answered from memory only while looks go on.
    private func watch() async {
        do {
            for look in 1... {
                try await Task.sleep(for: Self.interval)
                try await attempt("look for changes of others") { try await store.lookForForeignChanges() }
                if look.isMultiple(of: Self.looksPerLimit) {
                    try await attempt("limit the write-ahead log") { try await store.limitLog() }
                }
            }
        } catch {
            // The server stops.
        }
    }

    /// Tries a step, which is due again soon.
    private func attempt(_ name: String, _ step: () async throws -> Void) async throws {
        do {
            try await step()
        } catch {
            try Task.checkCancellation()
            logger.warning("Could not \(name).", metadata: ["error": "\(error)"])
        }
    }
}
