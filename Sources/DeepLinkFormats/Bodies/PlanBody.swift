package import DeepLinkCore

/// The answer to a link that the user may follow.
package struct PlanBody: WireBody {
    private let plan: RoutePlan
    private let levelSource: LevelSource?
    private let explanation: [ExplanationStep]?

    /// Wraps a plan with what gives the user's level and with what was tried, where that is to be said.
    package init(_ plan: RoutePlan, levelSource: LevelSource? = nil, explanation: [ExplanationStep]? = nil) {
        self.plan = plan
        self.levelSource = levelSource
        self.explanation = explanation
    }

    package func write(to writer: inout JSONWriter) {
        writer.plan(plan, levelSource: levelSource) { writer in
            guard let explanation else { return }
            writer.key("explanation")
            writer.explanation(explanation)
        }
    }
}
