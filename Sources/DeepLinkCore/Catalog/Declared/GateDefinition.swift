/// The place where a user who lacks a level is sent to obtain it, as the catalog's file declares it.
public struct GateDefinition: Sendable {
    /// The level that the gate gives.
    public let level: AuthorizationLevel

    /// The path, and possibly query, of the link.
    public let path: Located<String>

    /// Creates a declaration from its parts.
    public init(level: AuthorizationLevel, path: Located<String>) {
        self.level = level
        self.path = path
    }
}
