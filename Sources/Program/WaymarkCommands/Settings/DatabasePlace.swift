package import DeepLinkPostgres
import Foundation

/// The location of user states and tokens: a file on this machine, or a database that replicas share.
package enum DatabasePlace {
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
            throw CommandError(.usage, message: "\(error) It is set by \(ways).")
        }
        if location == nil, let mistake = DatabaseMistake(text) {
            throw CommandError(
                .usage,
                message: "\(mistake.message) The database is set by \(ways)."
            )
        }
        self = location.map { .postgres($0) } ?? .file(text)
    }

    /// The location for messages, without secrets: a file's absolute path, since a relative one means another file in
    /// another folder.
    package var name: String {
        switch self {
        case .file(let path): URL(fileURLWithPath: path).path
        case .postgres(let location): location.description
        }
    }

    /// The value of the setting, without secrets.
    package var text: String {
        switch self {
        case .file(let path): path
        case .postgres(let location): location.description
        }
    }

    /// Whether the setting contains a password.
    var hasPassword: Bool {
        switch self {
        case .file: false
        case .postgres(let location): location.hasPassword
        }
    }

    /// Returns the path of a file.
    ///
    /// - Throws: ``CommandError`` of code 64 for a database that isn't a file, with the alternative.
    package func path(or advice: String) throws(CommandError) -> String {
        guard case .file(let path) = self else {
            throw CommandError(.usage, message: "\(name) isn't a file. \(advice)")
        }
        return path
    }
}
