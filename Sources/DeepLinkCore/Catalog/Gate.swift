/// Is a place, already resolved, where a user obtains a level.
struct Gate: Sendable {
    let level: AuthorizationLevel

    /// The link as the catalog gives it, under the first origin.
    let link: String

    let stack: [StackElement]
}
