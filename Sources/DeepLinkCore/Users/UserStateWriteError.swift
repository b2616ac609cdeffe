/// The reason why a store left a state as it was, although nothing is broken.
public enum UserStateWriteError: Error, Hashable, Sendable {
    /// The precondition does not hold; the version that is stored, `nil` for no state.
    case versionMismatch(current: Int?)
}
