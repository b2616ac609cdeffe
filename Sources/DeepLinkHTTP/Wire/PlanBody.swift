package import DeepLinkCore

/// Is the answer to a link that the user may follow.
package struct PlanBody: WireBody {
    private let plan: RoutePlan
    private let catalogVersion: String

    /// Wraps a plan with the version of the catalog that it comes from.
    package init(_ plan: RoutePlan, catalogVersion: String) {
        self.plan = plan
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
            writer.key("catalogVersion")
            writer.string(catalogVersion)
        }
    }
}
