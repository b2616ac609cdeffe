/// One step of the engine from a link to its answer.
package struct ExplanationStep: Hashable, Sendable {
    /// The outcome for a candidate.
    package enum Outcome: String, CaseIterable, Sendable {
        /// Its segments fit.
        case matched

        /// Its segments fit, but none of the routes that it opens fits the rest, so the next candidate is tried.
        case abandoned

        /// It does not fit.
        case rejected

        /// It is presented although the link does not name it.
        case inserted

        /// The query opened it.
        case opened

        /// The user, the app or a request without a signature may not open it.
        case denied

        /// The signature that it requires is valid.
        case verified
    }

    /// The outcome for the candidate.
    package let outcome: Outcome

    /// The candidate's route, or `nil` if no candidate was left.
    package let route: String?

    /// The candidate's path pattern, as the catalog writes it.
    package let pattern: String?

    /// The decoded text of the link that decided the outcome.
    package let segment: String?

    /// The parameter that did not accept the text.
    package let parameter: String?

    /// The accepted values, in words.
    package let expected: String?

    /// The name of the level that the candidate requires, if the user lacks it.
    package let requiredLevel: String?

    /// The names of the grants that the candidate requires and the user lacks, or `nil` if the user lacks none.
    package let missing: [String]?

    /// The byte offset of the text in the link.
    package let offset: Int?

    /// The byte length of the text in the link, as it was sent, or 0 if the text is missing.
    package let length: Int?

    /// The outcome in one sentence.
    package let reason: String

    init(
        _ outcome: Outcome,
        route: String? = nil,
        pattern: String? = nil,
        segment: String? = nil,
        parameter: String? = nil,
        expected: String? = nil,
        requiredLevel: String? = nil,
        missing: [String]? = nil,
        at range: LinkRange? = nil,
        reason: String
    ) {
        self.outcome = outcome
        self.route = route
        self.pattern = pattern
        self.segment = segment
        self.parameter = parameter
        self.expected = expected
        self.requiredLevel = requiredLevel
        self.missing = missing
        offset = range?.start
        length = range?.count
        self.reason = reason
    }

    /// Creates the step for the signature that a route requires.
    ///
    /// - Parameters:
    ///   - demand: The signature that the link had to carry.
    ///   - isHeld: Whether it is valid.
    ///   - reason: The outcome in one sentence.
    package init(signature demand: SignatureDemand, isHeld: Bool, _ reason: String) {
        let target = demand.target.map { String(decoding: $0, as: UTF8.self) }
        self.init(
            isHeld ? .verified : .denied,
            route: demand.route,
            parameter: "sig",
            expected: target.map { "a signature of \($0)" } ?? "no signature: the stack has no link",
            reason: "\(reason) What is signed: \(target ?? "nothing, since the stack has no link")."
        )
    }
}
