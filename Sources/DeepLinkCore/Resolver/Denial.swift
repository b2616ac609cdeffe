/// The denial of a whole link, with the gate to the next level (decision record 4).
package struct Denial: Equatable, Sendable {
    /// The first destination of the stack that requires the highest level.
    package let route: String

    /// The level that the stack requires.
    package let requiredLevel: AuthorizationLevel

    /// The level that the user has.
    package let userLevel: AuthorizationLevel

    /// The gate that gives the lowest level that the user lacks.
    package let gate: GateDirections?

    /// The demand for a signature; `nil` for a link that needs none.
    package let signature: SignatureDemand?

    /// The levels of the catalog, which name those of the denial.
    package let levels: LevelLadder
}

extension Denial {
    /// Compares the parts that clients see.
    package static func == (left: Denial, right: Denial) -> Bool {
        left.route == right.route && left.requiredLevel == right.requiredLevel && left.userLevel == right.userLevel
            && left.gate == right.gate
    }
}

/// The place where a user obtains a level, and its presentation.
package struct GateDirections: Equatable, Sendable {
    /// The level that the gate gives.
    package let level: AuthorizationLevel

    /// The gate's link, under the scheme and host of the link that was refused.
    package let link: String

    /// The stack to present at once; `nil` if the app that asks is too old for it.
    package let stack: [Destination]?

    /// The way to it from the client's current stack; `nil` if the request names none, or there is no stack.
    package let transition: Transition?
}
