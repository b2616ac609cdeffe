package import DeepLinkCore

/// The response to a link that the user can open.
package struct PlanBody: WireBody {
    private let plan: RoutePlan
    private let levelSource: LevelSource?
    private let explanation: [ExplanationStep]?
    private let hint: String?

    /// Creates a body with a plan and, if given, the source of the user's level, the tried candidates, and a hint.
    package init(
        _ plan: RoutePlan,
        levelSource: LevelSource? = nil,
        explanation: [ExplanationStep]? = nil,
        hint: String? = nil
    ) {
        self.plan = plan
        self.levelSource = levelSource
        self.explanation = explanation
        self.hint = hint
    }

    /// Returns the same response with a hint.
    package func adding(hint: String) -> PlanBody {
        PlanBody(plan, levelSource: levelSource, explanation: explanation, hint: hint)
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.plan(plan, levelSource: levelSource) { writer in
            if let explanation {
                writer.key("explanation")
                writer.explanation(explanation)
            }
            guard let hint else { return }
            writer.member("hint", hint)
        }
    }
}
