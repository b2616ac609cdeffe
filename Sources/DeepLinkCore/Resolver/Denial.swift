/// The refusal of a link as a whole, and where the user can obtain the next level (decision record 4).
public struct Denial: Equatable, Sendable {
    /// The first destination of the stack that requires the highest level.
    public let route: String

    /// The level that the stack requires.
    public let requiredLevel: AuthorizationLevel

    /// The level that the user has.
    public let userLevel: AuthorizationLevel

    /// The place to obtain the lowest level that the user lacks.
    public let gate: GateDirections?
}
