/// The answer to a request: every outcome of a well-formed link is a value.
package enum Resolution: Equatable, Sendable {
    /// The link is resolved, and the user may open it.
    case plan(RoutePlan)

    /// The link is gated: the user's level is too low.
    case denial(Denial)

    /// The link is resolved, but the requesting app is too old for it.
    case outdated(AppUpdate)

    /// The link fails.
    case failure(ResolutionError)
}
