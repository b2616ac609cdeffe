/// An edge that presents a gate over the app's current stack, whichever destination is on top (decision record 42).
struct GateEdge: Sendable {
    /// The edge by which the gate's link opens the same destination.
    let declared: EdgeIndex

    /// The presentation over the current stack.
    let presentation: Presentation

    /// The nodes that may open a destination above the gate.
    var openers: [Int]
}

extension CatalogGraph {
    /// Returns the gate edge at an index, or `nil` for an edge that the catalog declares.
    func gateEdge(_ edge: EdgeIndex) -> GateEdge? {
        edge.number < entry.upperBound ? nil : gateEdges[edge.number - entry.upperBound]
    }

    /// Returns the declared edge that opens the same destination: the edge itself, unless it is a gate edge.
    func declared(_ edge: EdgeIndex) -> EdgeIndex { gateEdge(edge)?.declared ?? edge }
}

/// A resolved gate: the destination where a user obtains a level or a grant.
struct Gate: Sendable {
    /// The level or the grant that the gate gives.
    let gives: Attainment

    /// The canonical link under the first origin.
    let link: String

    let stack: [StackElement]

    /// The presentation over the app's current stack, or `nil` if the gate's stack replaces it.
    let over: Located<Presentation>?

    /// The destinations that are presented over the app's current stack, beginning with an edge of
    /// ``CatalogGraph/gateEdges``, empty without ``over``.
    var layer: [StackElement] = []
}
