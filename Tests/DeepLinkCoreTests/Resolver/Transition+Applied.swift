import DeepLinkCore

extension Transition {
    /// Carries the transition out on a stack, as a client does.
    func applied(to current: [Destination]) -> [Destination] {
        Array(current.prefix(keep)) + present
    }
}
