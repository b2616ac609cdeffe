import DeepLinkCore
package import DeepLinkFormats
import HTTPTypes

extension Problem {
    /// Reports that the store failed; the cause goes to the log, not to the client.
    package static func userStateUnavailable(_ cause: any Error) -> Problem {
        Problem(
            .userStateUnavailable,
            detail: "User states cannot be read or written now; try again.",
            headers: [.retryAfter: "1"],
            cause: cause
        )
    }

    /// Returns the problem for a change that failed, or whose outcome is unknown.
    package static func failedWrite(_ cause: any Error) -> Problem {
        guard let unknown = cause as? WriteOutcomeUnknownError else { return .userStateUnavailable(cause) }
        return Problem(
            .outcomeUnknown,
            detail:
                "The database was lost while the change was being committed, and it may have been made; read what is stored "
                + "before you ask for it again.",
            headers: [.retryAfter: "1"],
            cause: unknown
        )
    }
}
