package import DeepLinkCore

/// Is the answer to a link that the user may follow.
package struct PlanBody: WireBody {
    private let plan: RoutePlan
    private let explanation: [ExplanationStep]?
    private let catalogVersion: String

    /// Wraps a plan with the version of the catalog that it comes from, and what was tried where that is asked for.
    package init(_ plan: RoutePlan, explanation: [ExplanationStep]? = nil, catalogVersion: String) {
        self.plan = plan
        self.explanation = explanation
        self.catalogVersion = catalogVersion
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("link")
            writer.string(plan.link.text)
            if let canonicalLink = plan.canonicalLink {
                writer.key("canonicalLink")
                writer.string(canonicalLink)
            }
            writer.key("authorizationLevel")
            writer.object { writer in
                writer.key("required")
                writer.string(plan.requiredLevel.name)
                writer.key("user")
                writer.string(plan.userLevel.name)
            }
            writer.key("stack")
            writer.stack(plan.stack)
            if !plan.unusedQuery.isEmpty {
                writer.key("unusedQuery")
                writer.array(plan.unusedQuery) { writer, item in
                    writer.array([item.name, item.value]) { writer, text in writer.string(text) }
                }
            }
            if !plan.unresolved.isEmpty {
                writer.key("unresolved")
                writer.array(plan.unresolved) { $0.string($1) }
            }
            if let transition = plan.transition {
                writer.key("transition")
                writer.object { writer in
                    writer.key("keep")
                    writer.number(transition.keep)
                    writer.key("dismiss")
                    writer.number(transition.dismiss)
                    writer.key("present")
                    writer.stack(transition.present)
                }
            }
            if let explanation {
                writer.key("explanation")
                writer.explanation(explanation)
            }
            writer.key("catalogVersion")
            writer.string(catalogVersion)
        }
    }
}
