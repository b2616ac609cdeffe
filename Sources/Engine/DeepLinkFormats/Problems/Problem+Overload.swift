extension Problem {
    /// The problem of a server that is shutting down, to send clients to another server.
    package static var stopping: Problem {
        retry(after: 10, "The server is stopping; ask another one.")
    }

    /// The problem of a request that is refused because too many bytes of incomplete requests are buffered.
    ///
    /// Nothing was done.
    package static var tooManyBytes: Problem {
        retry(after: 1, "The server keeps too many bytes of requests that are still arriving; try again.")
    }

    /// The problem of a request that waited because the maximum number of connections was open.
    ///
    /// Nothing was done.
    package static var tooManyConnections: Problem {
        retry(after: 1, "The server has too many connections; try again.")
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
        retry(after: 1, "This caller sends more than \(rate) requests a second; try again.", code: .tooManyRequests)
    }

    /// Returns the problem for an address that sends more than `rate` invalid credentials a second.
    package static func tooManyRefusals(_ rate: Int) -> Problem {
        retry(
            after: 1,
            "From this address come more than \(rate) credentials a second that are not valid; try again.",
            code: .tooManyRequests
        )
    }

    /// The problem of a request that is refused because of too much work.
    ///
    /// Nothing was done.
    package static var overloaded: Problem {
        retry(after: 1, "The server has too many requests to work on; try again.")
    }

    /// The problem of a comparison of catalogs while another one is running.
    package static var comparing: Problem {
        retry(after: 1, "Another comparison of catalogs is going on; try again.")
    }

    /// The problem of a comparison of catalogs that takes too long and is canceled.
    package static var comparisonTooLong: Problem {
        retry(after: 60, "The comparison takes too long for a request; use `waymark catalog diff`.")
    }

    private static func retry(after seconds: Int, _ detail: String, code: ProblemCode = .overloaded) -> Problem {
        Problem(code, detail: detail, headers: [.retryAfter: String(seconds)])
    }
}
