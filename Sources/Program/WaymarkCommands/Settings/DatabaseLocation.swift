import DeepLinkCore
package import DeepLinkPostgres
import DeepLinkStorage
import Foundation

/// The location of user states and tokens: a file on this machine, or a database that replicas share.
package enum DatabaseLocation {
    case file(String)
    case postgres(PostgresLocation)

    /// Reads the value of the setting.
    ///
    /// Messages contain the ways to change it.
    ///
    /// - Throws: ``CommandError`` of code 64 for a URI that cannot be read or has another scheme. The message doesn't
    ///   repeat the URI, since it may contain a password.
    init(_ text: String, ways: String = Setting.database.waysToSet()) throws(CommandError) {
        let location: PostgresLocation?
        do throws(PostgresError) {
            location = try PostgresLocation(text)
        } catch {
            throw CommandError.usage("\(error) It is set by \(ways).")
        }
        if location == nil, let mistake = DatabaseMistake(text) {
            throw CommandError.usage("\(mistake.message) The database is set by \(ways).")
        }
        self = location.map { .postgres($0) } ?? .file(text)
    }

    /// The location for messages, without secrets: a file's absolute path, since a relative one means another file in
    /// another folder.
    package var name: String { if case .file(let path) = self { URL(fileURLWithPath: path).path } else { text } }

    /// The value of the setting, without secrets.
    package var text: String {
        switch self {
        case .file(let path): path
        case .postgres(let location): location.description
        }
    }

    /// Whether the setting contains a password.
    var hasPassword: Bool { if case .postgres(let location) = self { location.hasPassword } else { false } }

    /// Returns the path of a file.
    ///
    /// - Throws: ``CommandError`` of code 64 for a database that isn't a file, with the alternative.
    package func path(or advice: String) throws(CommandError) -> String {
        guard case .file(let path) = self else {
            throw CommandError.usage("\(name) isn't a file. \(advice)")
        }
        return path
    }

    /// Returns whether a file exists.
    ///
    /// - Throws: ``CommandError`` of code 69 if the user may not enter a folder above it, so that nobody takes a database
    ///   for a missing one.
    static func exists(fileAt path: String) throws(CommandError) -> Bool {
        if let denial = FileOwner.denial(ofFileAt: path) {
            throw CommandError.unavailable(
                "the database \(path) cannot be reached: \(denial). Run the command as root or as the service's user: "
                    + "`runuser -u waymark -- waymark …`."
            )
        }
        return FileManager.default.fileExists(atPath: path)
    }
}

/// A database setting that would be taken for a file name by mistake: a URI of another scheme, or the keyword form that
/// libpq accepts besides URIs.
struct DatabaseMistake {
    /// The schemes of PostgreSQL.
    private static let postgres = ["postgres", "postgresql"]

    /// The schemes that other programs use for files.
    private static let files = ["sqlite", "sqlite3", "file"]

    /// The libpq keywords that the keyword form can begin with (postgresql.org/docs/15/libpq-connect.html, 34.1.2).
    private static let words = [
        "host", "hostaddr", "port", "dbname", "user", "password", "service", "sslmode", "connect_timeout", "options",
    ]

    /// The mistake and the probable intention in one or two sentences, which repeat only the scheme.
    let message: String

    /// Finds the mistake in a text that isn't a PostgreSQL URI, or returns `nil` for a file name.
    ///
    /// A file whose name looks like a URI needs the prefix `./`.
    init?(_ text: String) {
        let first = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        if text.utf8.contains(UInt8(ascii: "=")), Self.words.contains(where: { first.elementsEqual($0.utf8) }) {
            message =
                "The database is given as words of libpq (`key=value`); did you mean `postgres://user@host:port/name`?"
            return
        }
        let scheme = text.utf8.prefix { Self.isSchemeByte($0) }
        let rest = text.utf8.dropFirst(scheme.count)
        guard !scheme.isEmpty, rest.first == UInt8(ascii: ":") else { return nil }
        let name = String(Substring(scheme)).lowercased()
        let isKnown = (Self.postgres + Self.files).contains { $0.bytewise == name.bytewise }
        // For example `mysql://…` and `jdbc:postgresql://…`.
        guard isKnown || rest.dropFirst().first == UInt8(ascii: "/") || rest.contains("://".utf8) else { return nil }
        let meaning =
            if Self.files.contains(where: { $0.bytewise == name.bytewise }) {
                "a SQLite file is named by its path alone; did you mean one such as `\(Setting.database.definition.defaultValue)`?"
            } else {
                "did you mean `\(SpellingSuggestion.closest(to: name, among: Self.postgres) ?? "postgres")://`?"
            }
        message =
            "`\(Substring(scheme)):` is not a scheme of databases here; \(meaning) A database is a SQLite file or "
            + "postgres://user@host:port/name."
    }

    /// Returns whether a byte is allowed in a scheme (RFC 3986 §3.1).
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || ASCII.isDigit(byte)
            || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
    }
}
