import DeepLinkCore
import DeepLinkStorage
import Foundation
import Logging

/// The maintenance of a store while a server runs.
///
/// It searches for changes of other replicas and deletes obsolete rows.
struct PostgresMaintenance: Sendable {
    /// The number of searches between two deletions of old rows: about every minute.
    private static let looksPerSweep = 240

    /// The age at which a transaction's mark is deleted, in milliseconds.
    ///
    /// Marks are looked up only while they are younger.
    private static let markAge: Int64 = 3_600_000

    let store: PostgresStore
    let logger: Logger

    /// Runs until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await watch() }
            group.addTask { await store.keepRetryingWrites() }
        }
    }

    private func watch() async {
        // Four searches within the validity of levels, whatever it is. By age, every second one would be wasted.
        let interval = store.memory.maximumStaleness / (store.feed.hasSnapshots ? 4 : 2)
        var isAway = false
        for count in 1... {
            do {
                try await Task.sleep(for: interval)
                try await store.look()
                if isAway { logger.info("The database answers again.") }
                isAway = false
                // The random choice spreads the replicas.
                if count.isMultiple(of: Self.looksPerSweep), Int.random(in: 0..<2) == 0 { try await sweep() }
            } catch is CancellationError {
                return
            } catch {
                guard !Task.isCancelled else { return }
                if !isAway { logger.error("The database is out of reach.", metadata: ["error": "\(error)"]) }
                isAway = true
            }
        }
    }

    private func sweep() async throws {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let (oldest, most) = (now - Self.markAge, store.maximumAnswerCount)
        let horizon = StoredTimestamps.horizon(at: Timestamp(millisecondsSinceEpoch: now), store.historyLimits)
        try await store.pages.run { connection throws(PostgresError) in
            try connection.run(
                """
                DELETE FROM commit_mark WHERE id IN (
                    SELECT id FROM commit_mark WHERE at < $1::bigint ORDER BY at LIMIT 10000)
                """,
                .number(oldest)
            )
            // The oldest rows first, if they have expired or are too many.
            try connection.run(
                """
                DELETE FROM kept_answer WHERE kept_at < greatest($1::bigint, coalesce(
                    (SELECT kept_at FROM kept_answer ORDER BY kept_at DESC OFFSET $2::bigint LIMIT 1), 0))
                """,
                .number(now - 86_400_000),
                .number(Int64(most))
            )
            try connection.run(
                """
                DELETE FROM user_moment WHERE kept_at < greatest($1::bigint, coalesce(
                    (SELECT kept_at FROM user_moment ORDER BY kept_at DESC OFFSET $2::bigint LIMIT 1), $1::bigint))
                """,
                .number(horizon.millisecondsSinceEpoch),
                .number(Int64(StoredTimestamps.maximumCount - 1))
            )
        }
    }
}
