package import DeepLinkCore

/// Holds what the endpoints answer from; the composition root fills it.
package struct ServiceEnvironment: Sendable {
    /// The routes.
    package let catalog: RouteCatalog

    /// The user states.
    package let store: any UserStateStore

    /// Who redeemed which continuation.
    package let continuationStore: any ContinuationStore

    /// How continuations are signed, and how long they last.
    package let continuations: ContinuationSettings

    /// Reads the clock.
    package let now: @Sendable () -> Timestamp

    /// Whether no credentials are configured: then only hosts that no stranger owns reach the API, and a loopback
    /// name or an IP address stands for the first https origin.
    package let callersAreUnknown: Bool

    /// Reads user states.
    ///
    /// - Throws: ``Problem`` of code `user-state-unavailable`, whatever keeps the store from answering.
    func reading<Result>(_ body: (any UserStateStore) throws -> Result) throws(Problem) -> Result {
        do {
            return try body(store)
        } catch {
            throw .userStateUnavailable(error)
        }
    }

    /// Creates an environment from its parts.
    package init(
        catalog: RouteCatalog,
        store: any UserStateStore,
        continuationStore: any ContinuationStore,
        continuations: ContinuationSettings,
        callersAreUnknown: Bool,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.catalog = catalog
        self.store = store
        self.continuationStore = continuationStore
        self.continuations = continuations
        self.callersAreUnknown = callersAreUnknown
        self.now = now
    }
}
