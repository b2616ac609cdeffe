/// One thing that the engine did on the way from a link to its answer.
public struct ExplanationStep: Hashable, Sendable {
    /// What became of the candidate.
    public enum Outcome: String, CaseIterable, Sendable {
        /// Its segments fit.
        case matched

        /// Its segments fit, but nothing that it opens fits what follows; the next candidate was tried.
        case abandoned

        /// It does not fit.
        case rejected

        /// It is shown without the link naming it.
        case inserted

        /// The query opened it.
        case opened

        /// The user, or the app, or whoever has no signature, may not go there.
        case denied

        /// The signature that it takes holds.
        case verified
    }

    /// What became of the candidate.
    public let outcome: Outcome

    /// The candidate's route; `nil` where no candidate was left.
    public let route: String?

    /// The candidate's path pattern, as the catalog writes it.
    public let pattern: String?

    /// The decoded text of the link at which the outcome was decided.
    public let segment: String?

    /// The parameter that did not accept the text.
    public let parameter: String?

    /// What the parameter accepts, in words.
    public let expected: String?

    /// The level that the candidate requires, where the user lacks it.
    public let requiredLevel: AuthorizationLevel?

    /// The byte of the link where the text stands.
    public let offset: Int?

    /// The bytes of the link that the text takes, as it was sent; 0 where it is missing.
    public let length: Int?

    /// The outcome in one sentence.
    public let reason: String

    init(
        _ outcome: Outcome,
        route: String? = nil,
        pattern: String? = nil,
        segment: String? = nil,
        parameter: String? = nil,
        expected: String? = nil,
        requiredLevel: AuthorizationLevel? = nil,
        at range: LinkRange? = nil,
        _ reason: String
    ) {
        self.outcome = outcome
        self.route = route
        self.pattern = pattern
        self.segment = segment
        self.parameter = parameter
        self.expected = expected
        self.requiredLevel = requiredLevel
        offset = range?.start
        length = range?.count
        self.reason = reason
    }

    /// Tells what became of the signature that a route takes.
    ///
    /// - Parameters:
    ///   - demand: what the link had to prove.
    ///   - isHeld: whether it did.
    ///   - reason: the finding in one sentence.
    public init(signature demand: SignatureDemand, isHeld: Bool, _ reason: String) {
        let target = demand.target.map { String(decoding: $0, as: UTF8.self) }
        self.init(
            isHeld ? .verified : .denied,
            route: demand.route,
            parameter: "sig",
            expected: target.map { "a signature of \($0)" } ?? "no signature: the stack has no link",
            "\(reason) What is signed: \(target ?? "nothing, since the stack has no link")."
        )
    }
}
