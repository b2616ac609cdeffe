import Crypto
import DeepLinkStorage
import Foundation
import GRDB

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
