/// The reason why a store left a state as it was, although nothing is broken.
public enum UserStateWriteError: Error, Hashable, Sendable {
    /// The precondition does not hold; the version that is stored, `nil` for no state.
    case versionMismatch(current: Int?)

    /// The state, or its deletion, counts as of a later moment than the change; what stays, `nil` for no state.
    case superseded(by: UserState?)

    /// The request was answered before, under the same key.
    case answered(KeptAnswer)
}
