import HTTPTypes

extension Problem {
    /// Sends clients elsewhere, because the server finishes what has begun and ends.
    package static var stopping: Problem {
        Problem(.overloaded, "The server is stopping; ask another one.", headers: [.retryAfter: "10"])
    }

    /// Refuses to keep more of requests whose rest has not come; nothing was done.
    package static var tooManyBytes: Problem {
        Problem(
            .overloaded,
            "The server keeps too many bytes of requests that are still arriving; try again.",
            headers: [.retryAfter: "1"]
        )
    }

    /// Ends a stream that lasts too long.
    package static func streamTooLong(_ lifetime: Duration) -> Problem {
        Problem(
            .overloaded,
            "The batch takes longer than \(lifetime.components.seconds) seconds; send the rest in another one."
        )
    }

    /// Refuses a request of a caller who has sent too many; nothing was done.
    package static func tooManyRequests(_ rate: Int) -> Problem {
        Problem(
            .tooManyRequests,
            "This caller sends more than \(rate) requests a second; try again.",
            headers: [.retryAfter: "1"]
        )
    }

    /// Refuses work for the moment; nothing was done.
    package static var overloaded: Problem {
        Problem(.overloaded, "The server has too many requests to work on; try again.", headers: [.retryAfter: "1"])
    }
}
