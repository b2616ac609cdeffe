/// An edge by which a gate is presented over what an app shows, whichever destination is on top (decision record 42).
struct GateEdge: Sendable {
    /// The edge by which the gate's link opens the same destination.
    let declared: EdgeIndex

    /// The presentation over what is shown.
    let presentation: Presentation

    /// The nodes that may open a destination above it.
    var openers: [Int]
}

extension CatalogGraph {
    /// Returns the gate edge at an index; `nil` for an edge that the catalog declares.
    func gateEdge(_ edge: EdgeIndex) -> GateEdge? {
        edge.number < entry.upperBound ? nil : gateEdges[edge.number - entry.upperBound]
    }

    /// Returns the declared edge that opens the same destination: the edge itself, unless it is a gate edge.
    func declared(_ edge: EdgeIndex) -> EdgeIndex { gateEdge(edge)?.declared ?? edge }
}
