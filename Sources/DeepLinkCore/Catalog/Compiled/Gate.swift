/// A resolved gate: the destination where a user obtains a level.
struct Gate: Sendable {
    let level: AuthorizationLevel

    /// The canonical link under the first origin.
    let link: String

    let stack: [StackElement]
}
