import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB

/// A row of `kept_answer`: the stored response to a request with an idempotency key.
struct KeptAnswerRecord: FetchableRecord {
    private static let table = "kept_answer"

    static let columns = "caller, method, path, key, digest, status, tag, body, user_id, kept_at, checksum"

    /// The maximum number of rows to delete when one is added.
    ///
    /// More rows are deleted than added.
    private static let maximumSweepCount = 64

    let request: RepeatableRequest
    let answer: KeptAnswer

    private init(_ answer: KeptAnswer, to request: RepeatableRequest) {
        self.request = request
        self.answer = answer
    }

    /// - Throws: ``DamagedRowError`` if the row differs from the one written.
    init(row: Row) throws {
        guard let user = UserID(stored: try row.decode(String.self, atIndex: 8)) else { throw Self.damage }
        let digest = Array(try row.decode(Data.self, atIndex: 4))
        request = RepeatableRequest(
            caller: try row.decode(String.self, atIndex: 0),
            method: try row.decode(String.self, atIndex: 1),
            path: try row.decode(String.self, atIndex: 2),
            key: try row.decode(String.self, atIndex: 3),
            digest: digest,
            user: user,
            time: Timestamp(millisecondsSinceEpoch: try row.decode(Int64.self, atIndex: 9))
        )
        answer = KeptAnswer(
            digest: digest,
            status: try row.decode(Int.self, atIndex: 5),
            tag: try row.decode(String?.self, atIndex: 6),
            body: Array(try row.decode(Data.self, atIndex: 7))
        )
        guard try row.decode(Int64.self, atIndex: 10) == checksum else { throw Self.damage }
    }

    private static var damage: DamagedRowError { DamagedRowError(table: table) }

    private var checksum: Int64 {
        var checksum = RowChecksum(table: Self.table)
        for text in [request.caller, request.method, request.path, request.key] { checksum.add(text) }
        answer.digest.withUnsafeBytes { checksum.add($0) }
        checksum.add(Int64(answer.status))
        if let tag = answer.tag { checksum.add(tag) } else { checksum.add(nil as Int64?) }
        answer.body.withUnsafeBytes { checksum.add($0) }
        checksum.add(request.user.text)
        checksum.add(request.time.millisecondsSinceEpoch)
        return checksum.value
    }

    /// Reads the response under the key of a request, or `nil` if there is none or it has expired.
    static func find(_ request: RepeatableRequest, in database: Database) throws -> KeptAnswerRecord? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(columns) FROM kept_answer
                WHERE caller = ? AND method = ? AND path = ? AND key = ? AND kept_at >= ?
                """
        )
        return try fetchOne(
            statement,
            arguments: [
                request.caller, request.method, request.path, request.key, request.horizon.millisecondsSinceEpoch,
            ]
        )
    }

    /// Stores a response under the key of a request without one, and deletes some responses that have expired or exceed
    /// the maximum count.
    static func keep(_ answer: KeptAnswer, to request: RepeatableRequest, atMost count: Int, in database: Database)
        throws
    {
        let record = KeptAnswerRecord(answer, to: request)
        try database.cachedStatement(
            sql: "REPLACE INTO kept_answer (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        .execute(arguments: [
            request.caller, request.method, request.path, request.key, Data(answer.digest), answer.status, answer.tag,
            Data(answer.body), request.user.text, request.time.millisecondsSinceEpoch, record.checksum,
        ])
        let last = database.lastInsertedRowID
        try database.cachedStatement(
            sql: """
                DELETE FROM kept_answer WHERE sequence IN (
                    SELECT sequence FROM kept_answer WHERE kept_at < ? ORDER BY kept_at LIMIT \(maximumSweepCount))
                """
        )
        .execute(arguments: [request.horizon.millisecondsSinceEpoch])
        // Numbers increase by one, so the newest number limits the number of rows.
        try database.cachedStatement(
            sql: """
                DELETE FROM kept_answer WHERE sequence IN (
                    SELECT sequence FROM kept_answer WHERE sequence <= ? ORDER BY sequence LIMIT \(maximumSweepCount))
                """
        )
        .execute(arguments: [last - Int64(count)])
    }

    /// Deletes the responses that concern a user.
    static func erase(_ id: UserID, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM kept_answer WHERE user_id = ?").execute(arguments: [id.text])
    }
}
