import DeepLinkCore
import DeepLinkStorage
import GRDB
import Synchronization

/// The texts that many short links share, each a row of `short_link_text`, and their numbers.
///
/// Rows are only ever added, except that rows of unused labels are deleted. A number is never reused. A value of this
/// type caches the texts that it has read. Readers of committed rows share one value. A change has one of its own,
/// since the rows that it adds may never be committed.
final class InternedTexts: Sendable {
    /// The kinds of texts.
    ///
    /// The raw values are stored.
    enum Kind: Int64 {
        case shape, host, label, author
    }

    private struct Key: Hashable {
        let kind: Kind
        let text: ByteText
    }

    private struct Cache {
        var texts: [Int64: Key] = [:]
        var numbers: [Key: Int64] = [:]
    }

    private static let table = CheckedTable(name: "short_link_text", columns: "kind, text")

    /// The maximum number of cached texts.
    ///
    /// Beyond it, the cache is emptied.
    private static let maximumCount = 100_000

    private let known = Mutex(Cache())

    /// Returns the text of a number.
    ///
    /// - Throws: ``DamagedRowError`` if there is none of the kind, or the row differs from the one written.
    func text(_ number: Int64, kind: Kind, _ database: Database) throws -> String {
        if let key = known.withLock({ $0.texts[number] }) {
            guard key.kind == kind else { throw Self.table.damage }
            return key.text.string
        }
        guard let row = try Self.table.rows("WHERE number = ?", [number], database).first,
            try row.number(0) == kind.rawValue
        else { throw Self.table.damage }
        let text = try row.text(1)
        remember(text, number: number, kind: kind)
        return text
    }

    /// Returns the number of a text, or `nil` if there is none.
    func number(of text: String, kind: Kind, _ database: Database) throws -> Int64? {
        if let number = known.withLock({ $0.numbers[Key(kind: kind, text: text.bytewise)] }) { return number }
        let statement = try database.cachedStatement(
            sql: "SELECT number FROM short_link_text WHERE kind = ? AND text = ?"
        )
        guard let number = try Int64.fetchOne(statement, arguments: [kind.rawValue, text]) else { return nil }
        remember(text, number: number, kind: kind)
        return number
    }

    /// Returns the number of a text, and adds the text if there is none.
    ///
    /// Must run in the change of a link that has the text.
    func insert(_ text: String, kind: Kind, in database: Database) throws -> Int64 {
        if let number = try number(of: text, kind: kind, database) { return number }
        try Self.table.insert([kind.rawValue, text], in: database)
        remember(text, number: database.lastInsertedRowID, kind: kind)
        return database.lastInsertedRowID
    }

    /// Reads all texts of a kind with their numbers, in the order of their bytes.
    static func all(_ kind: Kind, _ database: Database) throws -> [(number: Int64, text: String)] {
        let statement = try database.cachedStatement(
            sql: "SELECT number, text, checksum FROM short_link_text WHERE kind = ? ORDER BY text"
        )
        return try Row.fetchAll(statement, arguments: [kind.rawValue])
            .map { row in
                let text = try row.decode(String.self, atIndex: 1)
                let checksum = table.checksum([kind.rawValue.databaseValue, text.databaseValue])
                guard try row.decode(Int64.self, atIndex: 2) == checksum else { throw table.damage }
                return (try row.decode(Int64.self, atIndex: 0), text)
            }
    }

    /// Counts the labels in use, if another one could exceed the maximum, and deletes the rows of unused labels.
    static func labelCount(sweepingFrom maximum: Int, _ database: Database) throws -> Int {
        let count = try database.cachedStatement(sql: "SELECT count(*) FROM short_link_text WHERE kind = 2")
        guard let found = try Int.fetchOne(count), found >= maximum else { return try Int.fetchOne(count) ?? 0 }
        try database.execute(
            sql: """
                DELETE FROM short_link_text WHERE kind = 2
                    AND NOT EXISTS (SELECT 1 FROM short_link WHERE label = short_link_text.number)
                """
        )
        return try Int.fetchOne(count) ?? 0
    }

    private func remember(_ text: String, number: Int64, kind: Kind) {
        let key = Key(kind: kind, text: text.bytewise)
        known.withLock { known in
            if known.texts.count >= Self.maximumCount { known = Cache() }
            known.texts[number] = key
            known.numbers[key] = number
        }
    }
}
