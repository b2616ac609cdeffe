/// The denial of a whole link, with the gate to the first level or grant that the user lacks (decision record 4).
package struct Denial: Equatable, Sendable {
    /// The first destination of the stack that requires the highest level or, if a grant is missing first, a grant that
    /// the user lacks, as an index into ``RouteCatalog/routes``.
    package let routeNumber: Int?

    /// The topmost route of the link's stack, as an index into ``RouteCatalog/routes``, or `nil` for an empty stack.
    let topRouteNumber: Int?

    /// The level that the stack requires.
    package let requiredLevel: AuthorizationLevel

    /// The level that the user has.
    package let userLevel: AuthorizationLevel

    /// The grants that the user lacks, if one of them is missing first, empty if it is a level.
    package let missing: GrantSet

    /// The gate that gives the first level or grant that the user lacks.
    package let gate: GateDirections?

    /// The demand for a signature, or `nil` for a link that needs none.
    package let signature: SignatureDemand?

    /// The catalog, which names the levels and grants of the denial.
    package let catalog: RouteCatalog
}

extension Denial {
    /// The name of the first destination that requires what the user lacks.
    package var route: String { routeNumber.map { catalog.graph.routes[$0].name } ?? "" }

    /// The name of the topmost route of the link's stack, empty for an empty stack.
    package var topRoute: String { topRouteNumber.map { catalog.graph.routes[$0].name } ?? "" }

    /// The levels of the catalog.
    package var levels: LevelLadder { catalog.levels }

    /// The names of the grants that the user lacks, in the order of their gates.
    package var missingNames: [String] { catalog.grants.texts(of: missing) }

    /// The level or the grant that the user lacks first.
    package var firstMissing: Attainment {
        gate?.gives ?? missing.grants.first.map { .grant($0) } ?? .level(requiredLevel)
    }

    /// Compares the parts that clients see.
    package static func == (left: Denial, right: Denial) -> Bool {
        left.route == right.route && left.requiredLevel == right.requiredLevel && left.userLevel == right.userLevel
            && left.missing == right.missing && left.gate == right.gate
    }
}

/// The destination where a user obtains a level or a grant, and its presentation.
package struct GateDirections: Equatable, Sendable {
    /// The level or the grant that the gate gives.
    package let gives: Attainment

    /// The gate's link, under the scheme and host of the denied link.
    package let link: String

    /// The stack to present at once, or `nil` if the requesting app is too old for it.
    package let stack: [Destination]?

    /// The transition to ``stack`` from the client's current stack, or `nil` unless there are both.
    package let transition: Transition?

    /// The level that the gate gives, or `nil` for a grant.
    package var level: AuthorizationLevel? { gives.level }
}
