/// The declaration of a gate: the link through which a user obtains a level.
package struct GateDefinition: Sendable {
    /// The level that the gate gives.
    package let level: AuthorizationLevel

    /// The path of the link, optionally with a query.
    package let path: Located<String>

    /// Creates a declaration from its parts.
    package init(level: AuthorizationLevel, path: Located<String>) {
        self.level = level
        self.path = path
    }
}
