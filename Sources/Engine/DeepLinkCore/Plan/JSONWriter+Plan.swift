extension JSONWriter {
    /// Writes a plan as the service's response, with the source of the user's level if it is given.
    ///
    /// `explanation` writes a member before the last one, if any. Members that do not apply are left out. The order is
    /// fixed: `link`, `canonicalLink`, `authorizationLevel`, `grants`, `stack`, `unusedFragment`, `unusedQuery`,
    /// `requiresApp`, `unresolved`, `transition`, the member of `explanation`, `catalogVersion`.
    package mutating func plan(
        _ plan: RoutePlan,
        levelSource: LevelSource? = nil,
        explanation: (inout JSONWriter) -> Void = { _ in }
    ) {
        separate()
        raw("{\"link\":\"")
        escaped(plan.link.bytes)
        if let canonicalLink = plan.canonicalLinkBytes {
            raw("\",\"canonicalLink\":\"")
            escaped(canonicalLink)
        }
        raw("\",\"authorizationLevel\":{\"required\":\"")
        raw(plan.catalog.levels.texts, range: plan.catalog.levels.range(of: plan.requiredLevel))
        raw("\",\"user\":\"")
        raw(plan.catalog.levels.texts, range: plan.catalog.levels.range(of: plan.userLevel))
        if let levelSource {
            raw("\",\"source\":\"")
            escaped(levelSource.rawValue)
        }
        if plan.requiredGrants.isEmpty { raw("\"},\"stack\":") } else { rawGrants(of: plan) }
        rawStack(plan.elements, in: plan.catalog.graph)
        endRaw()
        if plan.mayHaveUnusedFragment, let fragment = plan.unusedFragment {
            key("unusedFragment")
            string(fragment)
        }
        if !plan.unusedQuery.isEmpty {
            key("unusedQuery")
            array(plan.unusedQuery) { writer, item in
                writer.array([item.name, item.value]) { writer, text in writer.string(text) }
            }
        }
        if !plan.requiresApp.isEmpty {
            key("requiresApp")
            requiredApps(plan.requiresApp)
        }
        if !plan.unresolved.isEmpty {
            key("unresolved")
            array(plan.unresolved) { $0.string($1) }
        }
        if let transition = plan.transition {
            key("transition")
            self.transition(transition)
        }
        explanation(&self)
        raw(",\"catalogVersion\":\"")
        escaped(plan.catalog.version)
        raw("\"}")
    }

    /// Writes the end of the levels, the grants that a plan requires, and the name of the next member.
    private mutating func rawGrants(of plan: RoutePlan) {
        raw("\"},\"grants\":{\"required\":")
        for (index, name) in plan.catalog.grants.texts(of: plan.requiredGrants).enumerated() {
            raw(index == 0 ? "[\"" : "\",\"")
            escaped(name)
        }
        raw("\"]},\"stack\":")
    }

    /// Writes app versions by platform.
    package mutating func requiredApps(_ required: RequiredApps) {
        object { writer in
            for (platform, number) in required.versions {
                writer.key(platform.rawValue)
                writer.string(number.text)
            }
        }
    }

    /// Writes the transition from one stack to another.
    package mutating func transition(_ transition: Transition) {
        object { writer in
            writer.key("keep")
            writer.number(transition.keep)
            writer.key("dismiss")
            writer.number(transition.dismiss)
            writer.key("present")
            writer.stack(transition.present)
            guard let unknownFrom = transition.unknownFrom else { return }
            writer.key("unknownFrom")
            writer.number(unknownFrom)
        }
    }
}

extension JSONWriter {
    /// Writes a navigation stack, root first.
    package mutating func stack(_ stack: [Destination]) {
        array(stack) { writer, destination in
            writer.object { writer in
                writer.key("route")
                writer.string(destination.route)
                writer.key("presentation")
                writer.string(destination.presentation.name)
                writer.key("parameters")
                writer.fields(destination.parameters)
            }
        }
    }

    /// Writes the stack of a plan, after a member's name, from the prepared JSON of its edges.
    mutating func rawStack(_ stack: [StackElement], in graph: CatalogGraph) {
        guard !stack.isEmpty else { return raw("[]") }
        for index in stack.indices {
            let json = graph.packed[stack[index].edge].json
            // The prepared text begins with the end of the preceding destination: `}},`.
            if index == 0 { raw("[") }
            raw(graph.texts, range: index == 0 ? json.dropFirst(3) : json)
            rawMembers(stack[index].arguments)
        }
        raw("}}]")
    }

    /// Returns the text that ``rawStack(_:in:)`` writes before the parameters of a destination that is not the first.
    static func prepared(route: String, presentation: Presentation) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 64)
        writer.stack([Destination(route: route, presentation: presentation)])
        // Without the end of the array, and of both objects.
        return Array("}},".utf8) + writer.bytes.dropFirst().dropLast(3)
    }
}
