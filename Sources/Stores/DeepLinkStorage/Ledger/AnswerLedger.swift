import DeepLinkCore

/// The stored responses to requests with an idempotency key.
///
/// A response is stored in the transaction of the change that it reports. A request that is sent again gets that
/// response, or nothing has changed yet (decision record 17). The response is looked up before anything else, even a
/// precondition, and stored for `RepeatableRequest.lifetime`.
package struct AnswerLedger: Sendable {
    /// A response with the request that it is stored for.
    package struct Entry: Sendable {
        /// The request, with its idempotency key.
        package let request: RepeatableRequest

        /// The response to return if the request is retried.
        package let answer: KeptAnswer

        /// Whether the response is not in the store yet.
        package let isNew: Bool
    }

    private var entries: [[ByteText]: Entry] = [:]

    /// The responses to write.
    package var new: [Entry] { entries.values.filter(\.isNew) }

    /// Adds a stored response to the ledger.
    package mutating func read(_ answer: KeptAnswer, to request: RepeatableRequest) {
        entries[request.name] = Entry(request: request, answer: answer, isNew: false)
    }

    /// Returns the response that is stored under the key of a request, or `nil` if there is none or it has expired.
    package func answer(to request: RepeatableRequest) -> KeptAnswer? {
        // Usually there are no entries, and then no name is built.
        guard !entries.isEmpty, let kept = entries[request.name], kept.request.time >= request.horizon else {
            return nil
        }
        return kept.answer
    }

    /// Checks that a request has no stored response.
    ///
    /// - Throws: `UserStateWriteError.answered`.
    func requireNone(to request: RepeatableRequest?) throws(UserStateWriteError) {
        guard let request, let answer = answer(to: request) else { return }
        throw .answered(answer)
    }

    /// Stores a response under the key of a request, replacing an expired one.
    package mutating func keep(_ answer: KeptAnswer, to request: RepeatableRequest) {
        entries[request.name] = Entry(request: request, answer: answer, isNew: true)
    }

    /// Stores the response to a change, if the change asks for it.
    mutating func keep<Outcome>(_ keeping: AnswerKeeping<Outcome>?, after outcome: Outcome) {
        guard let keeping, let answer = keeping.answer(outcome) else { return }
        keep(answer, to: keeping.request)
    }

    /// Deletes the responses that concern a user.
    mutating func erase(_ user: UserID) {
        entries = entries.filter { $0.value.request.user != user }
    }
}
