package import DeepLinkCore

/// The answer to a link that the user may follow.
package struct PlanBody: WireBody {
    private let plan: RoutePlan
    private let explanation: [ExplanationStep]?

    /// Wraps a plan with what was tried, where that is asked for.
    package init(_ plan: RoutePlan, explanation: [ExplanationStep]? = nil) {
        self.plan = plan
        self.explanation = explanation
    }

    package func write(to writer: inout JSONWriter) {
        writer.plan(plan) { writer in
            guard let explanation else { return }
            writer.key("explanation")
            writer.explanation(explanation)
        }
    }
}
