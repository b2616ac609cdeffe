import Crypto
import DeepLinkCore
import DeepLinkStorage
import Logging

/// The properties of a database that are checked before its use.
///
/// A new database gets its tables.
struct DatabaseOpening: Sendable {
    /// The version of the server, as it reports it.
    let serverVersion: String

    /// Whether the server has PostgreSQL's snapshot functions.
    let hasSnapshots: Bool

    let secrets: DatabaseSecrets

    /// The upgrade of the schema, or `nil` if there was none.
    let upgrade: SchemaUpgrade?

    /// Checks the server, creates missing tables if asked to, upgrades the schema, and reads the keys.
    ///
    /// The start of an upgrade, which may take long, is logged.
    init(
        _ connection: PostgresConnection,
        to location: PostgresLocation,
        creates: Bool,
        usesSnapshots: Bool,
        logger: Logger
    ) throws(PostgresError) {
        let deadline = connection.deadline
        try Self.requireTransactions(connection)
        serverVersion = try connection.run("SHOW server_version")[0].text(0)
        let encoding = try connection.run("SHOW server_encoding")[0].text(0)
        guard encoding.utf8.elementsEqual("UTF8".utf8) else { throw .badEncoding(encoding) }
        // Other engines lack these settings.
        let settings = try connection.run(
            "SELECT coalesce(current_setting('fsync', true), 'on'), coalesce(current_setting('full_page_writes', true), 'on')"
        )
        for (column, name) in ["fsync", "full_page_writes"].enumerated()
        where try settings[0].text(column).utf8.elementsEqual("off".utf8) {
            throw .notDurable("\(name) is off")
        }
        hasSnapshots = usesSnapshots ? try ChangeFeed.hasSnapshots(connection) : false
        if !creates, try Migrations.found(connection) == nil { throw .noTables }
        upgrade = try Migrations.run(connection) { former in
            logger.notice(
                "The database is being upgraded.",
                metadata: [
                    "database": "\(location)", "fromStep": .stringConvertible(former),
                    "toStep": .stringConvertible(Migrations.version),
                ]
            )
        }
        // An upgrade may have taken longer.
        connection.deadline = max(deadline, MonotonicInstant.now.advanced(by: Self.timeAfterUpgrade))
        secrets = DatabaseSecrets(erasureKey: try Self.secret("erasures", connection: connection))
    }

    /// Checks that statements sent separately can be one transaction.
    ///
    /// Behind a pooler that pools statements they cannot, and each change would fail.
    private static func requireTransactions(_ connection: PostgresConnection) throws(PostgresError) {
        do throws(PostgresError) {
            try connection.run("BEGIN")
            try connection.run("COMMIT")
        } catch {
            switch error {
            // PgBouncer: 08P01, "transaction blocks not allowed in statement pooling mode".
            case .refused(_, let message) where error.isRefusal("08P01"): throw .noTransactions(message)
            // It ends the connection with that, and libpq may see the end alone.
            case .unreachable(let reason):
                throw .unreachable(
                    "\(reason). It ended as a transaction began: a pooler between must keep transactions together (PgBouncer: "
                        + "pool_mode is transaction)"
                )
            default: throw error
            }
        }
    }

    /// The time limit of the steps after an upgrade.
    private static let timeAfterUpgrade = Duration.seconds(10)

    /// Reads a key that all replicas share.
    ///
    /// The first replica has generated it.
    static func secret(_ name: String, connection: PostgresConnection) throws(PostgresError) -> [UInt8] {
        let question = Statement("SELECT value FROM stored_secret WHERE name = $1::text", .text(name))
        if let known = try connection.run(question).first { return try known.bytes(0) }
        try connection.run(
            "INSERT INTO stored_secret (name, value) VALUES ($1::text, $2::bytea) ON CONFLICT (name) DO NOTHING",
            .text(name),
            .bytes(DatabaseSecrets.draw())
        )
        guard let row = try connection.run(question).first else { throw .unexpected("no key of \(name)") }
        return try row.bytes(0)
    }
}

/// The keys that the database stores for all replicas.
struct DatabaseSecrets: Sendable {
    /// The number of bytes of each key.
    static let byteCount = 32

    /// The key of the digests that replace erased users.
    let erasureKey: [UInt8]

    /// Generates a key.
    static func draw() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Returns the digest that replaces a user's id: HMAC-SHA256 (RFC 2104), as in a SQLite file.
    func digest(of id: UserID) -> [UInt8] { digest(of: id.text) }

    /// Returns the digest that remains of an erased short link's code, which is the same for all letter cases.
    func digest(of code: ShortLinkCode) -> [UInt8] { digest(of: code.erasureText) }

    private func digest(of text: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: erasureKey)))
    }

    /// Returns the digest in hexadecimal digits, in place of the user's name.
    func pseudonym(of id: UserID) -> String {
        digest(of: id).hexadecimal
    }
}
