/// What gives a user the level that counts.
public enum LevelSource: String, Sendable {
    /// The stored state.
    case state

    /// The user's own token, which gives more than the stored state.
    case token
}
