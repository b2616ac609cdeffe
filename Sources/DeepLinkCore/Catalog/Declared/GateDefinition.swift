/// The declaration of a gate: the link through which a user obtains a level or a grant.
package struct GateDefinition: Sendable {
    /// The level or the grant that the gate gives.
    package let gives: Attainment

    /// The path of the link, optionally with a query.
    package let path: Located<String>

    /// Creates a declaration from its parts.
    package init(gives attainment: Attainment, path: Located<String>) {
        gives = attainment
        self.path = path
    }

    /// Creates the declaration of a level's gate.
    package init(level: AuthorizationLevel, path: Located<String>) {
        self.init(gives: .level(level), path: path)
    }
}
