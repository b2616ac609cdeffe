/// An answer that is kept, so that a request which is sent again gets the same.
public struct KeptAnswer: Hashable, Sendable {
    /// The digest of the request that it answers (``RepeatableRequest/digest``).
    public let digest: [UInt8]

    /// The HTTP status, from 200 to 299.
    public let status: Int

    /// The entity tag, with its quotes; `nil` for none.
    public let tag: String?

    /// The body; empty for none.
    public let body: [UInt8]

    /// Creates an answer from its parts.
    public init(digest: [UInt8], status: Int, tag: String?, body: [UInt8]) {
        self.digest = digest
        self.status = status
        self.tag = tag
        self.body = body
    }
}

/// An answer to be kept in the transaction of the change that it tells of.
public struct AnswerKeeping<Outcome: Sendable>: Sendable {
    /// The request.
    public let request: RepeatableRequest

    /// The answer to it, by what came of the change; `nil` where none is kept.
    public let answer: @Sendable (Outcome) -> KeptAnswer?

    /// Puts a request and its answer together.
    public init(_ request: RepeatableRequest, _ answer: @escaping @Sendable (Outcome) -> KeptAnswer?) {
        self.request = request
        self.answer = answer
    }
}
