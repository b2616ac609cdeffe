/// The declaration of a gate: the link through which a user obtains a level or a grant.
package struct GateDefinition: Sendable {
    /// The level or the grant that the gate gives.
    package let gives: Attainment

    /// The path of the link, optionally with a query.
    package let path: Located<String>

    /// The presentation over the stack that an app shows; `nil` for a gate whose stack replaces it.
    package let over: Located<Presentation>?

    /// Creates a declaration from its parts; by default, its stack replaces the one that an app shows.
    package init(gives attainment: Attainment, path: Located<String>, over: Located<Presentation>? = nil) {
        gives = attainment
        self.path = path
        self.over = over
    }

    /// Creates the declaration of a level's gate.
    package init(level: AuthorizationLevel, path: Located<String>) {
        self.init(gives: .level(level), path: path)
    }
}
