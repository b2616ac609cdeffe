extension RouteCatalog {
    /// Returns the permissions that an app asserts by names, ignoring names that aren't `from: app`, so that old apps
    /// continue to work.
    package func assertions(_ names: some Sequence<String>) -> Permissions {
        guard takesAssertions else { return .none }
        var permissions = Permissions.none
        for name in names {
            if let level = levels.level(named: name) {
                if level <= levels.highestFromApp { permissions = permissions.adding(.level(level)) }
            } else if let grant = grants.grant(named: name), grants.fromApp.contains(grant) {
                permissions = permissions.adding(.grant(grant))
            }
        }
        return permissions
    }

    /// The maximum permissions that an app can assert.
    package var allAssertions: Permissions { Permissions(level: levels.highestFromApp, grants: grants.fromApp) }

    /// Returns the level or the grant of a present or former name, or `nil` if the catalog doesn't have it.
    package func attainment(named name: String) -> Attainment? {
        levels.level(named: name).map { .level($0) } ?? grants.grant(named: name).map { .grant($0) }
    }

    /// Returns the name of the level or the grant that a gate gives.
    package func text(of attainment: Attainment) -> String { attainment.text(in: levels, grants) }

    /// Returns the names that a requirement includes: its level, unless everyone has it, and its grants.
    package func texts(of requirement: Requirement) -> [String] {
        (requirement.level > .lowest ? [levels.text(of: requirement.level)] : []) + grants.texts(of: requirement.grants)
    }

    /// The gates in the order in which users pass them: each with its level or grant, its link, and its presentation
    /// over the app's current stack, if it has one.
    package var gatesInOrder: [(gives: Attainment, link: String, over: Presentation?)] {
        gates.map { ($0.gives, $0.link, $0.over?.value) }
    }

    /// The edges that present gates over the app's current stack, whichever destination is on top, in addition to
    /// ``edges``.
    package var gateEdges: ArraySlice<Edge> { graph.edges[graph.entry.upperBound...] }

    /// The link of each level's gate, lowest level first.
    package var gateLinks: [(level: AuthorizationLevel, link: String)] {
        gates.compactMap { gate in gate.gives.level.map { ($0, gate.link) } }
    }

    /// Returns the first level or grant that a user lacks, in the order of the gates.
    ///
    /// Returns `nil` if the requirement is met, or lacks a gate.
    package func firstMissing(
        for requirement: Requirement,
        in permissions: Permissions
    ) -> Attainment? {
        gates.first { $0.gives.isMissing(in: permissions, for: requirement) }?.gives
    }
}
