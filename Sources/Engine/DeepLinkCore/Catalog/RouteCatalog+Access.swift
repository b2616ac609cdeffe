extension RouteCatalog {
    /// Returns the permissions that an app asserts by some names; those that aren't `from: app` are ignored, so that old
    /// apps go on.
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

    /// The permissions that an app asserts at most.
    package var allAssertions: Permissions { Permissions(level: levels.highestFromApp, grants: grants.fromApp) }

    /// Returns the level or the grant of a present or former name; `nil` if the catalog doesn't have it.
    package func attainment(named name: String) -> Attainment? {
        levels.level(named: name).map { .level($0) } ?? grants.grant(named: name).map { .grant($0) }
    }

    /// Returns the name of what a gate gives.
    package func text(of attainment: Attainment) -> String { attainment.text(in: levels, grants) }

    /// Returns the names of what a requirement takes: of its level, unless everyone has it, and of its grants.
    package func texts(of requirement: Requirement) -> [String] {
        (requirement.level > .lowest ? [levels.text(of: requirement.level)] : []) + grants.texts(of: requirement.grants)
    }

    /// The link of each gate with the level or the grant that it gives, in the order in which a user obtains them, and its
    /// presentation over what an app shows, if it has one.
    package var gatesInOrder: [(gives: Attainment, link: String, over: Presentation?)] {
        gates.map { ($0.gives, $0.link, $0.over?.value) }
    }

    /// The edges by which gates are presented over what an app shows, whichever destination is on top; they are none of
    /// ``edges``.
    package var gateEdges: ArraySlice<Edge> { graph.edges[graph.entry.upperBound...] }

    /// The link of each level's gate with that level, lowest level first.
    package var gateLinks: [(level: AuthorizationLevel, link: String)] {
        gates.compactMap { gate in gate.gives.level.map { ($0, gate.link) } }
    }

    /// Returns what a user lacks first, in the order of the gates; `nil` if a requirement is met, or has no gate.
    package func firstMissing(
        for requirement: Requirement,
        in permissions: Permissions
    ) -> Attainment? {
        gates.first { $0.gives.isMissing(in: permissions, for: requirement) }?.gives
    }
}
