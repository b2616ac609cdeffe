/// The stack that the transition of an answer begins at.
package indirect enum TransitionStart: Hashable, Sendable {
    /// The client's current stack, which the link may continue from.
    case current

    /// The stack that the client shows, as far as it fits the catalog; without one there is no transition.
    case shown(CurrentStack?)
}
