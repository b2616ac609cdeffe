/// Is a place, already resolved, where a user obtains a level.
struct Gate: Sendable {
    let level: AuthorizationLevel
    let stack: [StackElement]
}
