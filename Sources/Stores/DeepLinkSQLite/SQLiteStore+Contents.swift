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
            try Self.paged(body) { add in try UserStateRecord.visit(database) { try add(.state($0)) } }
            try Self.paged(body) { add in
                try UserHistoryRecord.visit(database) { try add(.change($0.userID, $0.change)) }
            }
            try Self.paged(body) { add in
                try UserTimestampsRecord.table.visit(database) { row in
                    let (id, kept) = try row.storedTimestamps()
                    try add(.timestamps(id, kept))
                }
            }
            try Self.paged(body) { add in
                try ContinuationRecord.table.visit(database) { row in
                    let known = try row.redemption()
                    try add(.redemption(row.continuation(), known.user, end: known.end, isSpent: known.isSpent))
                }
            }
            try Self.paged(body) { add in
                try StoredResponseRecord.table.visit(database) { row in
                    let (request, answer) = try row.storedResponse()
                    try add(.answer(answer, request))
                }
            }
            try visitShortLinks(in: database, body: body)
            try Self.paged(body) { add in for token in try ServiceTokenRecord.all(database) { try add(.token(token)) } }
            try Self.paged(body) { add in for row in try ErasedUserRecord.all(database) { try add(row) } }
            try Self.paged(body) { add in
                try AuditNameRecord.table.visit(database) { row in
                    let (id, name) = try row.auditName()
                    try add(.auditName(id, name))
                }
            }
            try Self.paged(body) { add in
                try Self.visitCounts(database, "day, route, label FROM link_count") { row, count in
                    let day = CountedDay(number: Int(try row.number(2)))
                    let heading = CountHeading.day(
                        day,
                        route: try row.text(3).bytewise,
                        label: try row.text(4).bytewise
                    )
                    try add(.count(CountAddition(to: heading, outcome: row.text(0), count: count)))
                }
            }
            try Self.paged(body) { add in
                try Self.visitCounts(database, "code FROM code_count") { row, count in
                    let heading = CountHeading.code(try row.text(2).bytewise)
                    try add(.count(CountAddition(to: heading, outcome: row.text(0), count: count)))
                }
            }
        }
    }

    /// Reads counts with their outcomes and headings.
    private static func visitCounts(
        _ database: Database,
        _ headings: String,
        _ body: (TableRow, Int) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(database, sql: "SELECT outcome, count, \(headings)")
        while let row = try rows.next() {
            let row = TableRow(row: row, table: "link_count")
            try body(row, Int(try row.number(1)))
        }
    }

    /// Passes the short links in the order of lists, then their changes and the digests of erased ones.
    private func visitShortLinks(in database: Database, body: ([StoredRow]) throws -> Void) throws {
        let links = ShortLinkReader(texts: linkTexts, database: database)
        try Self.paged(body) { add in
            try links.visit { try add(.shortLink($0.link)) }
        }
        try Self.paged(body) { add in
            try links.visitChanges { try add(.shortLinkChange($0, $1)) }
        }
        try Self.paged(body) { add in for row in try ErasedShortLinkRecord.all(database) { try add(row) } }
    }

    /// Reads the values that the file has beside its rows.
    package func metadata() throws -> StoreMetadata {
        let levels = try keptNames(of: .levels) { LevelName($0) }
        let grants = try keptNames(of: .grants) { GrantName($0) }
        let renames = try levelRenames()
        return try read { database in
            StoreMetadata(
                erasureKey: try ErasedUserRecord.key(database),
                forgottenUntil: Timestamp(millisecondsSinceEpoch: try StoredNumber.forgottenUntil.value(database)),
                levels: levels,
                grants: grants,
                renames: renames
            )
        }
    }

    /// Passes rows on in pages.
    private static func paged(
        _ body: ([StoredRow]) throws -> Void,
        rows: (_ add: (StoredRow) throws -> Void) throws -> Void
    ) throws {
        try withoutActuallyEscaping(body) { body in
            var page: [StoredRow] = []
            try rows { row in
                page.append(row)
                guard page.count == pageSize else { return }
                try body(page)
                page = []
            }
            if !page.isEmpty { try body(page) }
        }
    }
}
