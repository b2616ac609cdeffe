/// An answer that is kept, so that a request which is sent again gets the same.
package struct KeptAnswer: Hashable, Sendable {
    /// The digest of the request that it answers (``RepeatableRequest/digest``).
    package let digest: [UInt8]

    /// The HTTP status, from 200 to 299.
    package let status: Int

    /// The entity tag, with its quotes; `nil` for none.
    package let tag: String?

    /// The body; empty for none.
    package let body: [UInt8]

    /// Creates an answer from its parts.
    package init(digest: [UInt8], status: Int, tag: String?, body: [UInt8]) {
        self.digest = digest
        self.status = status
        self.tag = tag
        self.body = body
    }
}

/// An answer to be kept in the same transaction as its change.
package struct AnswerKeeping<Outcome: Sendable>: Sendable {
    /// The request.
    package let request: RepeatableRequest

    /// The function that returns the answer, given the outcome of the change; `nil` if none is kept.
    package let answer: @Sendable (Outcome) -> KeptAnswer?

    /// Puts a request and its answer together.
    package init(_ request: RepeatableRequest, answer: @escaping @Sendable (Outcome) -> KeptAnswer?) {
        self.request = request
        self.answer = answer
    }
}
