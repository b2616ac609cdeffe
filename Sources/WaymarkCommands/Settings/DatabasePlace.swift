import DeepLinkPostgres
import Foundation

/// Where user states and tokens are: a file on this machine, or a database that replicas share.
enum DatabasePlace {
    case file(String)
    case postgres(PostgresLocation)

    /// Reads what a setting says.
    ///
    /// - Throws: ``CommandError`` of code 64 for a URI that cannot be read; the message does not repeat it.
    init(_ text: String) throws(CommandError) {
        do throws(PostgresError) {
            self = try PostgresLocation(text).map { .postgres($0) } ?? .file(text)
        } catch {
            throw CommandError(.usage, "\(error) It is set by \(Setting.database.waysToSet).")
        }
    }

    /// The place for messages, without anything secret: a file's path from the root on, since the same name means another
    /// file in another folder.
    var name: String {
        switch self {
        case .file(let path): URL(fileURLWithPath: path).path
        case .postgres(let location): location.description
        }
    }

    /// The value of the setting, without anything secret.
    var text: String {
        switch self {
        case .file(let path): path
        case .postgres(let location): location.description
        }
    }

    /// Whether the text has a password in it.
    var hasPassword: Bool {
        switch self {
        case .file: false
        case .postgres(let location): location.hasPassword
        }
    }

    /// Returns the path of a file.
    ///
    /// - Throws: ``CommandError`` of code 64 for a database that has none, with what to do instead.
    func path(or advice: String) throws(CommandError) -> String {
        guard case .file(let path) = self else { throw CommandError(.usage, "\(name) is no file. \(advice)") }
        return path
    }
}
