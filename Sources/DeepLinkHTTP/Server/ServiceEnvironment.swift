package import DeepLinkCore

/// Holds what the endpoints answer from; the composition root fills it.
package struct ServiceEnvironment: Sendable {
    /// The routes.
    package let catalog: RouteCatalog

    /// The user states.
    package let store: any UserStateStore

    /// Reads the clock.
    package let now: @Sendable () -> Timestamp

    /// Whether a `Host` that is a loopback name or an IP address stands for the first https origin.
    package let servesAnyAddress: Bool

    /// Creates an environment from its parts.
    package init(
        catalog: RouteCatalog,
        store: any UserStateStore,
        servesAnyAddress: Bool,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.catalog = catalog
        self.store = store
        self.servesAnyAddress = servesAnyAddress
        self.now = now
    }
}
