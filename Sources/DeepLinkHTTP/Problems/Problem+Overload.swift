import HTTPTypes

extension Problem {
    /// Sends clients elsewhere, because the server finishes what has begun and ends.
    static var stopping: Problem {
        Problem(.overloaded, "The server is stopping; ask another one.", headers: [.retryAfter: "10"])
    }

    /// Refuses work for the moment; nothing was done.
    static var overloaded: Problem {
        Problem(.overloaded, "The server has too many requests to work on; try again.", headers: [.retryAfter: "1"])
    }
}
