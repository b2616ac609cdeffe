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

    private static let table = CheckedTable(name: "erased_user", columns: "digest, version, as_of")
    private static let keyTable = CheckedTable(name: "erasure_key", columns: "key")
    private static let keyByteCount = 32

    /// Generates the key, once per file.
    static func makeKey(_ database: Database) throws {
        var generator = SystemRandomNumberGenerator()
        let key = Data((0..<keyByteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        // The table numbers its only row.
        try keyTable.insert([key], in: database)
    }

    /// Returns the digest that replaces a user's id.
    static func digest(of id: UserID, _ database: Database) throws -> Data { try digest(of: id.text, database) }

    /// Returns the digest of a text by the key.
    static func digest(of text: String, _ database: Database) throws -> Data {
        let key = SymmetricKey(data: try key(database))
        return Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }

    /// Reads the key.
    static func key(_ database: Database) throws -> [UInt8] {
        guard let row = try keyTable.rows("WHERE number = 1", [], database).first else { throw keyTable.damage }
        return try row.bytes(0)
    }

    /// Reads the marks of all erased users, with their digests.
    static func all(_ database: Database) throws -> [StoredRow] {
        try table.rows("", [], database)
            .map { .erased(digest: try $0.bytes(0), version: Int(try $0.number(1)), asOf: try $0.time(2)) }
    }

    /// Reads the mark of a user, or `nil` if the user was never erased.
    static func mark(of id: UserID, _ database: Database) throws -> Mark? {
        // Usually no user was erased, so there is nothing to compute.
        guard try table.hasRows(database) else { return nil }
        guard let row = try table.rows("WHERE digest = ?", [try digest(of: id, database)], database).first else {
            return nil
        }
        return Mark(version: Int(try row.number(1)), asOf: try row.time(2))
    }

    /// Stores the last version of a user that is being erased.
    static func note(_ last: Mark, ofDigest digest: Data, in database: Database) throws {
        try table.replace([digest, last.version, last.asOf.millisecondsSinceEpoch], in: database)
    }
}

/// The rows of `erased_short_link`: digests of the codes of erased links, which are never used again in any case.
///
/// A digest is an HMAC-SHA256 (RFC 2104) with the key of ``ErasedUserRecord``. It differs from the digest of every
/// user's id.
enum ErasedShortLinkRecord {
    private static let table = CheckedTable(name: "erased_short_link", columns: "digest")

    /// Returns whether a code was erased.
    static func contains(_ code: ShortLinkCode, _ database: Database) throws -> Bool {
        // Usually no code was erased, so there is nothing to compute.
        guard try table.hasRows(database) else { return false }
        let digest = try ErasedUserRecord.digest(of: code.erasureText, database)
        return try !table.rows("WHERE digest = ?", [digest], database).isEmpty
    }

    /// Stores the digest of a code that is being erased.
    static func note(_ code: ShortLinkCode, in database: Database) throws {
        try table.replace([try ErasedUserRecord.digest(of: code.erasureText, database)], in: database)
    }

    /// Reads all digests.
    static func all(_ database: Database) throws -> [StoredRow] {
        try table.rows("", [], database).map { .erasedShortLink(digest: try $0.bytes(0)) }
    }
}
