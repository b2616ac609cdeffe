import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB

/// The rows of `kept_answer`: the stored responses to requests with an idempotency key.
enum StoredResponseRecord {
    static let table = CheckedTable(name: "kept_answer", columns: StoredColumnNames.answer)

    /// Reads the response under the key of a request, or `nil` if there is none or it has expired.
    static func find(
        _ request: KeyedRequest,
        in database: Database
    ) throws -> (request: KeyedRequest, answer: StoredResponse)? {
        try table
            .rows(
                "WHERE caller = ? AND method = ? AND path = ? AND key = ? AND kept_at >= ?",
                [request.caller, request.method, request.path, request.key, request.horizon.millisecondsSinceEpoch],
                database
            )
            .first?
            .storedResponse()
    }

    /// Stores a response under the key of a request without one, and deletes some responses that have expired or exceed
    /// the maximum count.
    static func keep(_ answer: StoredResponse, to request: KeyedRequest, atMost count: Int, in database: Database)
        throws
    {
        try table.replace(
            [
                request.caller, request.method, request.path, request.key, Data(answer.digest), answer.status,
                answer.tag, Data(answer.body), request.user.text, request.time.millisecondsSinceEpoch,
            ],
            in: database
        )
        try table.sweep(before: request.horizon, storing: count, in: database)
    }
}

/// The rows of `user_moment`: the effective times of users without a state, from dated deletions that found nothing to
/// delete.
enum UserTimestampsRecord {
    static let table = CheckedTable(name: "user_moment", columns: StoredColumnNames.timestamps)

    /// Reads the effective times of a user without a state, or `nil` if there are none.
    static func find(_ id: UserID, in database: Database) throws -> StoredTimestamps? {
        try table.rows("WHERE user_id = ?", [id.text], database).first?.storedTimestamps().kept
    }

    /// Stores the effective times of a user, replacing former ones, and deletes some that are too old or too many.
    static func keep(_ kept: StoredTimestamps, of id: UserID, limits: UserHistoryLimits, in database: Database) throws {
        try table.replace([id.text, kept.level, kept.grants, kept.time.millisecondsSinceEpoch], in: database)
        let horizon = StoredTimestamps.horizon(at: kept.time, limits)
        try table.sweep(before: horizon, storing: StoredTimestamps.maximumCount, in: database)
    }
}

/// The rows of `audit_name`: users with their audit log names.
enum AuditNameRecord {
    static let table = CheckedTable(name: "audit_name", columns: "user_id, name")

    /// Reads the name of a user, or `nil` if there is none.
    static func name(of id: UserID, _ database: Database) throws -> AuditName? {
        try table.rows("WHERE user_id = ?", [id.text], database).first?.auditName().name
    }
}
