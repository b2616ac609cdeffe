package import DeepLinkCore

/// The answer to a link that the user may follow.
package struct PlanBody: WireBody {
    private let plan: RoutePlan
    private let explanation: [ExplanationStep]?
    private let hint: String?

    /// Wraps a plan with what was tried, where that is asked for, and with what the client may have meant otherwise.
    package init(_ plan: RoutePlan, explanation: [ExplanationStep]? = nil, hint: String? = nil) {
        self.plan = plan
        self.explanation = explanation
        self.hint = hint
    }

    /// The same answer with a hint.
    package func adding(hint: String) -> PlanBody {
        PlanBody(plan, explanation: explanation, hint: hint)
    }

    package func write(to writer: inout JSONWriter) {
        writer.plan(plan) { writer in
            if let explanation {
                writer.key("explanation")
                writer.explanation(explanation)
            }
            guard let hint else { return }
            writer.key("hint")
            writer.string(hint)
        }
    }
}
