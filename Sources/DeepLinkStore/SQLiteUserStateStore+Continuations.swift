package import DeepLinkCore
import GRDB

extension SQLiteUserStateStore: ContinuationStore {
    package func bind(
        _ id: ContinuationID,
        to user: UserID,
        until end: Timestamp,
        at time: Timestamp
    ) async throws -> ContinuationStanding {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM continuation WHERE expires_at < ?",
                arguments: [time.millisecondsSinceEpoch]
            )
            try database.execute(
                sql: "INSERT INTO continuation (id, user_id, expires_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: [id.text, user.text, end.millisecondsSinceEpoch]
            )
            let row = try Row.fetchOne(
                database,
                sql: "SELECT user_id = ? AS is_own, is_spent FROM continuation WHERE id = ?",
                arguments: [user.text, id.text]
            )
            guard let row else { throw StoreDamage(table: "continuation") }
            guard row["is_own"] else { return .otherUser }
            return row["is_spent"] ? .spent : .open
        }
    }

    package func spend(_ id: ContinuationID) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: "UPDATE continuation SET is_spent = 1 WHERE id = ? AND is_spent = 0",
                arguments: [id.text]
            )
            return database.changesCount == 1
        }
    }
}
