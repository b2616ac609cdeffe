import HTTPTypes

extension Problem {
    /// Refuses to compare catalogs while another comparison is going on.
    package static var comparing: Problem {
        Problem(
            .overloaded,
            detail: "Another comparison of catalogs is going on; try again.",
            headers: [.retryAfter: "1"]
        )
    }

    /// Gives a comparison of catalogs up that takes too long.
    package static var comparisonTooLong: Problem {
        Problem(
            .overloaded,
            detail: "The comparison takes too long for a request; use `waymark catalog diff`.",
            headers: [.retryAfter: "60"]
        )
    }
}
