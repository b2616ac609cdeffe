import DeepLinkCore
package import DeepLinkStorage
import Foundation
import GRDB

/// The contents of a file, for copying to another store.
extension SQLiteStore {
    /// The number of rows per page.
    private static let pageSize = 1000

    /// Passes all rows of one snapshot to a closure, in pages of one kind.
    package func visitContents(_ body: ([StoredRow]) throws -> Void) throws {
        try read { database in
            var last: UserID?
            while true {
                let page = try UserStateRecord.states(after: last, limit: Self.pageSize, database)
                if !page.isEmpty { try body(page.map(StoredRow.state)) }
                guard page.count == Self.pageSize else { break }
                last = page.last?.id
            }
            try Self.visit(
                UserHistoryRecord.self,
                question: "SELECT \(UserHistoryRecord.columns) FROM user_history",
                in: database,
                body: body
            ) {
                .change($0.userID, $0.change)
            }
            try Self.visit(
                UserMomentRecord.self,
                question: "SELECT \(UserMomentRecord.columns) FROM user_moment",
                in: database,
                body: body
            ) {
                .moments($0.id, $0.kept)
            }
            try Self.visit(
                ContinuationRecord.self,
                question: "SELECT \(ContinuationRecord.columns) FROM continuation",
                in: database,
                body: body
            ) {
                .redemption($0.id, $0.user, end: $0.end, isSpent: $0.isSpent)
            }
            try Self.visit(
                KeptAnswerRecord.self,
                question: "SELECT \(KeptAnswerRecord.columns) FROM kept_answer",
                in: database,
                body: body
            ) {
                .answer($0.answer, $0.request)
            }
            try visitShortLinks(in: database, body: body)
            let tokens = try ServiceTokenRecord.all(database)
            if !tokens.isEmpty { try body(tokens.map(StoredRow.token)) }
            let erased = try ErasedUserRecord.all(database)
            if !erased.isEmpty {
                try body(erased.map { .erased(digest: Array($0), version: $1.version, asOf: $1.asOf) })
            }
            try Self.visit(
                AuditNameRecord.self,
                question: "SELECT \(AuditNameRecord.columns) FROM audit_name",
                in: database,
                body: body
            ) {
                .auditName($0.id, $0.name)
            }
            for headings in ["day, route, label FROM link_count", "code FROM code_count"] {
                let question = "SELECT outcome, count, \(headings)"
                try Self.visit(CountRecord.self, question: question, in: database, body: body) { .count($0.addition) }
            }
        }
    }

    /// Passes the short links in the order of lists, then their changes and the digests of erased ones.
    private func visitShortLinks(in database: Database, body: ([StoredRow]) throws -> Void) throws {
        var last: Int64 = 0
        while true {
            let page = try ShortLinkSource.all.rows(
                after: last,
                count: Self.pageSize,
                texts: linkTexts,
                database
            )
            if !page.isEmpty { try body(page.map { .shortLink($0.link) }) }
            guard page.count == Self.pageSize, let end = page.last?.number else { break }
            last = end
        }
        let changes = try Row.fetchCursor(
            database,
            sql: "SELECT \(ShortLinkHistoryRecord.columns) FROM short_link_history"
        )
        var page: [StoredRow] = []
        while let row = try changes.next() {
            let (code, change) = try ShortLinkHistoryRecord.change(row, texts: linkTexts, database)
            page.append(.shortLinkChange(code, change))
            guard page.count == Self.pageSize else { continue }
            try body(page)
            page = []
        }
        if !page.isEmpty { try body(page) }
        let erased = try ErasedShortLinkRecord.all(database)
        if !erased.isEmpty { try body(erased.map { .erasedShortLink(digest: $0) }) }
    }

    /// Reads the values that the file has beside its rows.
    package func facts() throws -> StoredFacts {
        let (levels, grants, renames) = (try keptLevels()?.names ?? [], try keptGrants(), try levelRenames())
        return try read { database in
            StoredFacts(
                erasureKey: Array(try ErasedUserRecord.key(database)),
                forgottenUntil: Timestamp(millisecondsSinceEpoch: try StoredNumber.forgottenUntil.value(database)),
                levels: levels,
                grants: grants,
                renames: renames
            )
        }
    }

    private static func visit<Record: FetchableRecord>(
        _ type: Record.Type,
        question: String,
        in database: Database,
        body: ([StoredRow]) throws -> Void,
        row: (Record) -> StoredRow
    ) throws {
        let records = try Record.fetchCursor(database, sql: question)
        var page: [StoredRow] = []
        while let record = try records.next() {
            page.append(row(record))
            guard page.count == pageSize else { continue }
            try body(page)
            page = []
        }
        if !page.isEmpty { try body(page) }
    }
}

/// A count of uses of links in the file.
private struct CountRecord: FetchableRecord {
    let addition: CountAddition

    /// Reads an outcome and a count, and then a day with route and label, or a code.
    init(row: Row) throws {
        let heading: CountHeading
        if row.count > 3 {
            heading = .day(
                CountedDay(number: try row.decode(Int.self, atIndex: 2)),
                route: try row.decode(String.self, atIndex: 3).bytewise,
                label: try row.decode(String.self, atIndex: 4).bytewise
            )
        } else {
            heading = .code(try row.decode(String.self, atIndex: 2).bytewise)
        }
        addition = CountAddition(
            to: heading,
            outcome: try row.decode(String.self, atIndex: 0),
            count: try row.decode(Int.self, atIndex: 1)
        )
    }
}
