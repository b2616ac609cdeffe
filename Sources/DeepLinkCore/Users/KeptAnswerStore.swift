/// A memory of answers to requests that may be sent again: each is kept for ``RepeatableRequest/lifetime``.
///
/// A store bounds their number; beyond it the oldest are forgotten first.
public protocol KeptAnswerStore: Sendable {
    /// Reads the answer that is kept under the key of a request, by its caller, method and path; `nil` for none.
    ///
    /// Whether it answers the same request, its digest tells.
    func answer(to request: RepeatableRequest) async throws -> KeptAnswer?

    /// Keeps an answer; when this returns, it survives a loss of power.
    ///
    /// - Returns: the answer that is kept under the key: an earlier one stays.
    func keep(_ answer: KeptAnswer, to request: RepeatableRequest) async throws -> KeptAnswer
}
