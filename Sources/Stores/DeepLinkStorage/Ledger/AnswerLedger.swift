import DeepLinkCore

/// The kept answers to requests that may be sent again.
///
/// An answer is kept in the transaction of the change that it reports: a request that is sent again gets that answer,
/// or nothing has changed yet (decision record 17). It is looked up before anything else, even a precondition, and kept
/// for `RepeatableRequest.lifetime`.
package struct AnswerLedger: Sendable {
    /// An answer with the request under whose key it is kept.
    package struct Entry: Sendable {
        /// The request.
        package let request: RepeatableRequest

        /// The answer.
        package let answer: KeptAnswer

        /// Whether the store doesn't have it yet.
        package let isNew: Bool
    }

    private var entries: [[ByteText]: Entry] = [:]

    /// The answers to be written.
    package var new: [Entry] { entries.values.filter(\.isNew) }

    /// Reads an answer into the ledger.
    package mutating func read(_ answer: KeptAnswer, to request: RepeatableRequest) {
        entries[request.name] = Entry(request: request, answer: answer, isNew: false)
    }

    /// Returns the answer under the key of a request; `nil` if there is none or it has expired.
    package func answer(to request: RepeatableRequest) -> KeptAnswer? {
        // Usually there are none, and then no name is built.
        guard !entries.isEmpty, let kept = entries[request.name], kept.request.time >= request.horizon else {
            return nil
        }
        return kept.answer
    }

    /// Requires that a request wasn't answered before.
    ///
    /// - Throws: `UserStateWriteError.answered`.
    func requireNone(to request: RepeatableRequest?) throws(UserStateWriteError) {
        guard let request, let answer = answer(to: request) else { return }
        throw .answered(answer)
    }

    /// Keeps an answer under the key of a request, in place of an expired one.
    package mutating func keep(_ answer: KeptAnswer, to request: RepeatableRequest) {
        entries[request.name] = Entry(request: request, answer: answer, isNew: true)
    }

    /// Keeps the answer to a change, if one is to be kept.
    mutating func keep<Outcome>(_ keeping: AnswerKeeping<Outcome>?, after outcome: Outcome) {
        guard let keeping, let answer = keeping.answer(outcome) else { return }
        keep(answer, to: keeping.request)
    }

    /// Forgets the answers that concern a user.
    mutating func erase(_ user: UserID) {
        entries = entries.filter { $0.value.request.user != user }
    }
}
