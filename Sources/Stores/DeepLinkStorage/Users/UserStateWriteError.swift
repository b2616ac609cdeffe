/// The reason why a store left a state as it was, although nothing is broken.
package enum UserStateWriteError: Error, Hashable, Sendable {
    /// The precondition does not hold; the version that is stored, `nil` for no state.
    case versionMismatch(current: Int?)

    /// The state, or its deletion, is as of a later time than the change; carries the state that remains, `nil` for
    /// none.
    case superseded(by: UserState?)

    /// The request was answered before, under the same key.
    case answered(KeptAnswer)
}
