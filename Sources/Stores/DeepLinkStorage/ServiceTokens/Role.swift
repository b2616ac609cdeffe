/// The permissions of the holder of a service token.
package enum Role: String, CaseIterable, Sendable {
    /// Resolves links for any user, builds links and reads the catalog.
    case resolver

    /// Reads metrics, and nothing else.
    case monitor

    /// Writes the grants that its token names, and nothing else.
    case granter

    /// Does what a resolver does, makes and withdraws short links, and reads counts.
    case publisher

    /// Does everything; alone reads users, and writes their levels.
    case admin
}
