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
