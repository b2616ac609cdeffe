package import NIOCore

/// Whoever is told of every answer, exactly once: metrics and logs.
///
/// Calls come from event loops, so they must be short and wait for nothing.
package protocol ResponseObserver: Sendable {
    /// Notes that an answer is written.
    func answered(_ answer: ObservedResponse)
}

/// An answer, as observers see it.
package struct ObservedResponse: Sendable {
    /// The name of what answered: an endpoint's, such as `GET /v1/users/{id}`, or `web link`, `other method`, `not found`,
    /// and `refused` for bytes that are no request.
    package let endpoint: String

    /// The HTTP status.
    package let status: Int

    /// The time from the head of the request to the end of the answer.
    package let duration: TimeAmount

    /// The id of the request; empty where there is none.
    package let requestID: String
}
