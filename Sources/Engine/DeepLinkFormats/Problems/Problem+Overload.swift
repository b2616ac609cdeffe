extension Problem {
    /// The problem of a server that is shutting down, to send clients to another server.
    package static var stopping: Problem {
        Problem(.overloaded, detail: "The server is stopping; ask another one.", headers: [.retryAfter: "10"])
    }

    /// The problem of a request that is refused because too many bytes of incomplete requests are buffered.
    ///
    /// Nothing was done.
    package static var tooManyBytes: Problem {
        Problem(
            .overloaded,
            detail: "The server keeps too many bytes of requests that are still arriving; try again.",
            headers: [.retryAfter: "1"]
        )
    }

    /// The problem of a request that waited because the maximum number of connections was open.
    ///
    /// Nothing was done.
    package static var tooManyConnections: Problem {
        Problem(
            .overloaded,
            detail: "The server has too many connections; try again.",
            headers: [.retryAfter: "1"]
        )
    }

    /// Returns the problem of a stream that exceeds its maximum duration.
    package static func streamTooLong(_ lifetime: Duration) -> Problem {
        Problem(
            .overloaded,
            detail: "The batch takes longer than \(lifetime.components.seconds) seconds; send the rest in another one."
        )
    }

    /// Returns the problem of a request beyond the caller's rate limit.
    ///
    /// Nothing was done.
    package static func tooManyRequests(_ rate: Int) -> Problem {
        Problem(
            .tooManyRequests,
            detail: "This caller sends more than \(rate) requests a second; try again.",
            headers: [.retryAfter: "1"]
        )
    }

    /// Returns the problem for an address that sends more than `rate` invalid credentials a second.
    package static func tooManyRefusals(_ rate: Int) -> Problem {
        Problem(
            .tooManyRequests,
            detail: "From this address come more than \(rate) credentials a second that are not valid; try again.",
            headers: [.retryAfter: "1"]
        )
    }

    /// The problem of a request that is refused because of too much work.
    ///
    /// Nothing was done.
    package static var overloaded: Problem {
        Problem(
            .overloaded,
            detail: "The server has too many requests to work on; try again.",
            headers: [.retryAfter: "1"]
        )
    }
}
