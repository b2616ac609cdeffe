/// The place where a user obtains a level, and how a client presents it.
public struct GateDirections: Equatable, Sendable {
    /// The level that the gate gives.
    public let level: AuthorizationLevel

    /// The gate's link, under the scheme and host of the link that was refused.
    public let link: String

    /// The stack to present at once; `nil` where the app that asks is too old for it.
    public let stack: [Destination]?

    /// The way to it from the client's current stack; `nil` where the request names none, or there is no stack.
    public let transition: Transition?
}
