/// What the holder of a service token may do.
public enum Role: String, CaseIterable, Sendable {
    /// Resolves links for any user, builds links and reads the catalog.
    case resolver

    /// Reads metrics, and nothing else.
    case monitor

    /// Does everything; alone reads and writes users.
    case admin
}
