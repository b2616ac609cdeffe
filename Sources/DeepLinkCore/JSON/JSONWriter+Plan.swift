extension JSONWriter {
    /// Writes a plan as the service answers it; `explanation` writes a member before the last one, if it writes any.
    ///
    /// Members that do not apply are left out. The order is fixed: `link`, `canonicalLink`, `authorizationLevel`,
    /// `stack`, `unusedQuery`, `unresolved`, `transition`, what `explanation` writes, `catalogVersion`.
    public mutating func plan(_ plan: RoutePlan, explanation: (inout JSONWriter) -> Void = { _ in }) {
        object { writer in
            writer.key("link")
            writer.string(utf8: plan.link.bytes)
            if let canonicalLink = plan.canonicalLinkBytes {
                writer.key("canonicalLink")
                writer.string(utf8: canonicalLink)
            }
            writer.key("authorizationLevel")
            writer.object { writer in
                writer.key("required")
                writer.string(plan.requiredLevel.name)
                writer.key("user")
                writer.string(plan.userLevel.name)
            }
            writer.key("stack")
            writer.stack(plan.elements, in: plan.catalog.graph)
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
            if let transition = plan.transition { writer.transition(transition) }
            explanation(&writer)
            writer.key("catalogVersion")
            writer.string(plan.catalog.version)
        }
    }

    private mutating func transition(_ transition: Transition) {
        key("transition")
        object { writer in
            writer.key("keep")
            writer.number(transition.keep)
            writer.key("dismiss")
            writer.number(transition.dismiss)
            writer.key("present")
            writer.stack(transition.present)
        }
    }
}
