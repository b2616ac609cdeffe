package import Logging

/// Does what a store needs while a server runs: checks the file once, then looks for changes of other processes and
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
        do {
            if store.refusal != nil { logger.warning("The database is checked before changes are accepted.") }
            try await store.verify()
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
