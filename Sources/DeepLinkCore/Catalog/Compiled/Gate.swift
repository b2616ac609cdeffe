/// A resolved gate: the destination where a user obtains a level or a grant.
struct Gate: Sendable {
    /// The level or the grant that the gate gives.
    let gives: Attainment

    /// The canonical link under the first origin.
    let link: String

    let stack: [StackElement]
}
