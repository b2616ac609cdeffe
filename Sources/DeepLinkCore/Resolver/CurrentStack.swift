/// The stack that a client shows now.
public enum CurrentStack: Hashable, Sendable {
    /// The stack that this link leads to, whatever the user's level.
    case link(DeepLink)

    /// These destinations, root first; edges that no link can take are allowed.
    case stack([Destination])
}
