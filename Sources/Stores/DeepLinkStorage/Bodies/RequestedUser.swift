import DeepLinkCore
package import DeepLinkFormats

/// The user that a request names in its fields, in a header, or in both.
package enum RequestedUser {
    /// Parses a user's id.
    package static func id(_ text: String, field: String) throws(Problem) -> UserID {
        guard let id = UserID(text) else {
            throw .invalidValue(
                field: field,
                detail:
                    "A user id is 1 to \(UserID.maximumByteCount) bytes of UTF-8 without control characters, not `.` or `..`."
            )
        }
        return id
    }
}

extension Problem {
    /// Returns the problem for a failed store.
    ///
    /// The cause goes to the log, not to the client.
    package static func userStateUnavailable(_ cause: any Error) -> Problem {
        Problem(
            .userStateUnavailable,
            detail: "User states cannot be read or written now; try again.",
            headers: [.retryAfter: "1"],
            cause: { "\(cause)" }
        )
    }

    /// Returns the problem for a failed change, or one with an unknown outcome.
    package static func failedWrite(_ cause: any Error) -> Problem {
        guard let unknown = cause as? WriteOutcomeUnknownError else { return .userStateUnavailable(cause) }
        return Problem(
            .outcomeUnknown,
            detail:
                "The database was lost while the change was being committed, and it may have been made; read what is stored "
                + "before you ask for it again.",
            headers: [.retryAfter: "1"],
            cause: { "\(unknown)" }
        )
    }
}
