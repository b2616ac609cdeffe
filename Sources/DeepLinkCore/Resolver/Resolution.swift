/// The answer to a request: every outcome of a well-formed link is a value.
public enum Resolution: Equatable, Sendable {
    /// The user may go where the link leads.
    case plan(RoutePlan)

    /// The link leads somewhere, and the user's level is too low.
    case denial(Denial)

    /// The link leads somewhere, and the app that asks is too old for it.
    case outdated(AppUpdate)

    /// The link leads nowhere.
    case failure(ResolutionError)
}
