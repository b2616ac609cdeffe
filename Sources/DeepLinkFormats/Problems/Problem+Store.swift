import HTTPTypes

extension Problem {
    /// Reports that the store failed; the cause goes to the log, not to the client.
    package static func userStateUnavailable(_ cause: any Error) -> Problem {
        Problem(
            .userStateUnavailable,
            "User states cannot be read or written now; try again.",
            headers: [.retryAfter: "1"],
            cause: cause
        )
    }
}
