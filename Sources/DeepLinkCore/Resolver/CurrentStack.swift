/// The current stack of a client.
package enum CurrentStack: Hashable, Sendable {
    /// The stack that this link leads to, without regard to the user's level.
    case link(DeepLink)

    /// These destinations, root first; edges that no link can take are allowed.
    case stack([Destination])
}
