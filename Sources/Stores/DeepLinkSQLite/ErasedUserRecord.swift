import Crypto
import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB

/// A row of `erased_user`: the remains of an erased user, so that no version is ever used twice.
///
/// It has the HMAC-SHA256 (RFC 2104) of the id, with a key in the file, instead of the id. The row alone doesn't reveal
/// the user. With the whole file, known ids can be tested.
struct ErasedUserRecord {
    /// The last version of a user, and its effective time.
    typealias Mark = UserRecord.Mark

    private static let table = "erased_user"
    private static let keyTable = "erasure_key"
    private static let keyByteCount = 32

    /// Generates the key, once per file.
    static func makeKey(_ database: Database) throws {
        var generator = SystemRandomNumberGenerator()
        let key = Data((0..<keyByteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        try database.execute(
            sql: "INSERT INTO erasure_key (number, key, checksum) VALUES (1, ?, ?)",
            arguments: [key, checksum(ofKey: key)]
        )
    }

    /// Returns the digest that replaces a user's id.
    static func digest(of id: UserID, _ database: Database) throws -> Data {
        let key = try key(database)
        return Data(HMAC<SHA256>.authenticationCode(for: Data(id.text.utf8), using: SymmetricKey(data: key)))
    }

    /// Reads the key.
    static func key(_ database: Database) throws -> Data {
        let statement = try database.cachedStatement(sql: "SELECT key, checksum FROM erasure_key WHERE number = 1")
        guard let row = try Row.fetchOne(statement) else { throw DamagedRowError(table: keyTable) }
        let key = try row.decode(Data.self, atIndex: 0)
        guard try row.decode(Int64.self, atIndex: 1) == checksum(ofKey: key) else {
            throw DamagedRowError(table: keyTable)
        }
        return key
    }

    /// Reads the marks of all erased users, with their digests.
    static func all(_ database: Database) throws -> [(Data, Mark)] {
        try Row.fetchAll(database, sql: "SELECT digest, version, as_of, checksum FROM erased_user")
            .map { row in
                let digest = try row.decode(Data.self, atIndex: 0)
                let asOf = Timestamp(millisecondsSinceEpoch: try row.decode(Int64.self, atIndex: 2))
                let last = Mark(version: try row.decode(Int.self, atIndex: 1), asOf: asOf)
                guard try row.decode(Int64.self, atIndex: 3) == checksum(digest, last: last) else {
                    throw DamagedRowError(table: table)
                }
                return (digest, last)
            }
    }

    /// Reads the mark of a user, or `nil` if the user was never erased.
    static func mark(of id: UserID, _ database: Database) throws -> Mark? {
        // Usually no user was erased, so there is nothing to compute.
        let any = try database.cachedStatement(sql: "SELECT 1 FROM erased_user LIMIT 1")
        guard try Row.fetchOne(any) != nil else { return nil }
        let digest = try digest(of: id, database)
        let statement = try database.cachedStatement(
            sql: "SELECT version, as_of, checksum FROM erased_user WHERE digest = ?"
        )
        guard let row = try Row.fetchOne(statement, arguments: [digest]) else { return nil }
        let version = try row.decode(Int.self, atIndex: 0)
        let last = Mark(
            version: version,
            asOf: Timestamp(millisecondsSinceEpoch: try row.decode(Int64.self, atIndex: 1))
        )
        guard version >= 1, try row.decode(Int64.self, atIndex: 2) == checksum(digest, last: last) else {
            throw DamagedRowError(table: table)
        }
        return last
    }

    /// Stores the last version of a user that is being erased.
    static func note(_ last: Mark, ofDigest digest: Data, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "REPLACE INTO erased_user (digest, version, as_of, checksum) VALUES (?, ?, ?, ?)"
        )
        try statement.execute(arguments: [
            digest, last.version, last.asOf.millisecondsSinceEpoch, checksum(digest, last: last),
        ])
    }

    private static func checksum(_ digest: Data, last: Mark) -> Int64 {
        var checksum = RowChecksum(table: table)
        digest.withUnsafeBytes { checksum.add($0) }
        checksum.add(Int64(last.version))
        checksum.add(last.asOf.millisecondsSinceEpoch)
        return checksum.value
    }

    private static func checksum(ofKey key: Data) -> Int64 {
        var checksum = RowChecksum(table: keyTable)
        key.withUnsafeBytes { checksum.add($0) }
        return checksum.value
    }
}

/// A row that was changed by damage or by another program.
struct DamagedRowError: Error, Hashable, CustomStringConvertible {
    /// The table of the row.
    let table: String

    var description: String { "a row of the table \(table) is not what was written" }
}

/// The rows of `erased_short_link`: digests of the codes of erased links, which are never used again in any case.
///
/// A digest is an HMAC-SHA256 (RFC 2104) with the key of ``ErasedUserRecord``. It differs from the digest of every
/// user's id.
enum ErasedShortLinkRecord {
    private static let table = "erased_short_link"

    /// Returns whether a code was erased.
    static func contains(_ code: ShortLinkCode, _ database: Database) throws -> Bool {
        // Usually no code was erased, so there is nothing to compute.
        let any = try database.cachedStatement(sql: "SELECT 1 FROM erased_short_link LIMIT 1")
        guard try Int.fetchOne(any) != nil else { return false }
        let digest = try digest(of: code, database)
        let statement = try database.cachedStatement(sql: "SELECT checksum FROM erased_short_link WHERE digest = ?")
        guard let stored = try Int64.fetchOne(statement, arguments: [digest]) else { return false }
        guard stored == checksum(digest) else { throw DamagedRowError(table: table) }
        return true
    }

    /// Stores the digest of a code that is being erased.
    static func note(_ code: ShortLinkCode, in database: Database) throws {
        let digest = try digest(of: code, database)
        try database.cachedStatement(sql: "REPLACE INTO erased_short_link (digest, checksum) VALUES (?, ?)")
            .execute(arguments: [digest, checksum(digest)])
    }

    /// Reads all digests.
    static func all(_ database: Database) throws -> [[UInt8]] {
        try Row.fetchAll(database, sql: "SELECT digest, checksum FROM erased_short_link")
            .map { row in
                let digest = try row.decode(Data.self, atIndex: 0)
                guard try row.decode(Int64.self, atIndex: 1) == checksum(digest) else {
                    throw DamagedRowError(table: table)
                }
                return Array(digest)
            }
    }

    private static func digest(of code: ShortLinkCode, _ database: Database) throws -> Data {
        let key = SymmetricKey(data: try ErasedUserRecord.key(database))
        return Data(HMAC<SHA256>.authenticationCode(for: Data(code.erasureText.utf8), using: key))
    }

    private static func checksum(_ digest: Data) -> Int64 {
        var checksum = RowChecksum(table: table)
        digest.withUnsafeBytes { checksum.add($0) }
        return checksum.value
    }
}
