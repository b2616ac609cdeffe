/// The permissions of the holder of a service token.
package enum Role: String, CaseIterable, Sendable {
    /// Resolves links for any user, builds links and reads the catalog.
    case resolver

    /// Reads metrics, and nothing else.
    case monitor

    /// Does everything; alone reads and writes users.
    case admin
}
