import DeepLinkCatalog
import DeepLinkCore
import DeepLinkPostgres
import DeepLinkStorage

/// An error that ends a command: a message for people, and an exit code for scripts.
package struct CommandError: Error {
    /// The exit codes, after sysexits.h if it has one.
    package enum Code: Int32 {
        /// The command ran, and its answer is negative.
        case no = 1

        /// The command line or a setting is invalid.
        case usage = 64

        /// The input is malformed: a link, a catalog.
        case badData = 65

        /// A required file, port or server is unavailable.
        case unavailable = 69
    }

    package let code: Code

    /// The message for people; `nil` if everything was already printed.
    package let message: String?

    package init(_ code: Code, message: String?) {
        self.code = code
        self.message = message
    }

    /// The error for a negative answer.
    package static func no(_ message: String?) -> CommandError { CommandError(.no, message: message) }

    /// The error for an invalid command line or setting.
    package static func usage(_ message: String?) -> CommandError { CommandError(.usage, message: message) }

    /// The error for malformed input.
    package static func badData(_ message: String?) -> CommandError { CommandError(.badData, message: message) }

    /// The error for something required that is unavailable.
    package static func unavailable(_ message: String?) -> CommandError { CommandError(.unavailable, message: message) }

    /// Runs a step, and adds a message and an exit code to its known errors.
    static func translate<Result>(_ step: () throws -> Result) throws -> Result {
        do {
            return try step()
        } catch {
            throw translated(error)
        }
    }

    /// Returns an error, if it is known, with a message and an exit code.
    package static func translated(_ error: any Error) -> any Error {
        switch error {
        case let error as CatalogError: CommandError.badData(IssueReport(error.issues).text)
        case let error as CatalogFileError: CommandError.unavailable("\(error)")
        case PostgresError.refused(state: "42501", _), PostgresError.refused(state: "3F000", _):
            CommandError.unavailable(
                "\(error) If the role is to make no tables, a role that may runs `waymark database migrate`; otherwise "
                    + "grant it CREATE and USAGE on the schema, and see that its search_path has one."
            )
        case let error as any StoreError: CommandError(error.isDamage ? .badData : .unavailable, message: "\(error)")
        default: error
        }
    }
}
