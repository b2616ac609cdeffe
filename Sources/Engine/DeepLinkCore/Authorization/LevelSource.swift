/// The source of a user's effective level.
package enum LevelSource: String, Sendable {
    /// The stored state.
    case state

    /// The user's own token, whose level is higher than the stored one.
    case token

    /// The app, which asserts a level that is higher than the stored one and the token's.
    case app
}
