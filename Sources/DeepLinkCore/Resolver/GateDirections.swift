/// The place where a user obtains a level, and how a client presents it.
public struct GateDirections: Equatable, Sendable {
    /// The level that the gate gives.
    public let level: AuthorizationLevel

    /// The gate's link, under the scheme and host of the link that was refused.
    public let link: String

    /// The stack to present at once.
    public let stack: [Destination]

    /// The way to it from the client's current stack; `nil` where the request names none.
    public let transition: Transition?
}
