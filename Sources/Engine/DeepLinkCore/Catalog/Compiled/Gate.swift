/// A resolved gate: the destination where a user obtains a level or a grant.
struct Gate: Sendable {
    /// The level or the grant that the gate gives.
    let gives: Attainment

    /// The canonical link under the first origin.
    let link: String

    let stack: [StackElement]

    /// The presentation over the stack that an app shows; `nil` for a gate whose stack replaces it.
    let over: Located<Presentation>?

    /// The destinations that are presented over the stack that an app shows, from an edge of
    /// ``CatalogGraph/gateEdges`` on; empty without ``over``.
    var layer: [StackElement] = []
}
