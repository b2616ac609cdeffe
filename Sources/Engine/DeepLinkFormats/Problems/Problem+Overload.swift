import HTTPTypes

extension Problem {
    /// Returns the problem that sends clients to another server, because this one finishes its requests and ends.
    package static var stopping: Problem {
        Problem(.overloaded, detail: "The server is stopping; ask another one.", headers: [.retryAfter: "10"])
    }

    /// Refuses to keep more of requests whose rest has not come; nothing was done.
    package static var tooManyBytes: Problem {
        Problem(
            .overloaded,
            detail: "The server keeps too many bytes of requests that are still arriving; try again.",
            headers: [.retryAfter: "1"]
        )
    }

    /// Refuses a request that has waited while as many connections were open as may be; nothing was done.
    package static var tooManyConnections: Problem {
        Problem(
            .overloaded,
            detail: "The server has too many connections; try again.",
            headers: [.retryAfter: "1"]
        )
    }

    /// Ends a stream that lasts too long.
    package static func streamTooLong(_ lifetime: Duration) -> Problem {
        Problem(
            .overloaded,
            detail: "The batch takes longer than \(lifetime.components.seconds) seconds; send the rest in another one."
        )
    }

    /// Refuses a request of a caller who has sent too many; nothing was done.
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

    /// Refuses work for the moment; nothing was done.
    package static var overloaded: Problem {
        Problem(
            .overloaded,
            detail: "The server has too many requests to work on; try again.",
            headers: [.retryAfter: "1"]
        )
    }
}
