import DeepLinkCatalog
import DeepLinkCore
import DeepLinkStoring

/// The end of a command that cannot do what it should: a message for people, and an exit code for scripts.
struct CommandError: Error {
    /// The exit codes, after sysexits.h where it has one.
    enum Code: Int32 {
        /// The question was understood, and the answer is no.
        case no = 1

        /// The command line or a setting does not make sense.
        case usage = 64

        /// The input is malformed: a link, a catalog.
        case badData = 65

        /// A file, port or server that is needed is not to be had.
        case unavailable = 69
    }

    let code: Code

    /// The message for people; `nil` where everything is said.
    let message: String?

    init(_ code: Code, _ message: String?) {
        self.code = code
        self.message = message
    }

    /// Runs a step, and gives its known failures a message and an exit code.
    static func translate<Result>(_ step: () throws -> Result) throws -> Result {
        do {
            return try step()
        } catch {
            throw translated(error)
        }
    }

    /// Gives an error, if it is known, a message and an exit code.
    static func translated(_ error: any Error) -> any Error {
        switch error {
        case let error as CatalogError: CommandError(.badData, IssueReport(error.issues).text)
        case let error as CatalogFileError: CommandError(.unavailable, "\(error)")
        case let error as any StoreError: CommandError(error.isDamage ? .badData : .unavailable, "\(error)")
        default: error
        }
    }
}
