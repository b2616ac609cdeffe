package import DeepLinkAuthentication
import DeepLinkFormats
package import DeepLinkStorage
package import HTTPServer

/// The health of a server that answers: whether links can be resolved, and the parts that fail at the same time.
package struct ServiceHealth: Sendable {
    /// A part that may fail while links are resolved, by its name in `/readyz`.
    package enum Part: String, CaseIterable, Sendable {
        /// Changes are refused.
        case writes

        /// The keys to verify end users' tokens are unavailable.
        case keys = "jwt-keys"

        /// A catalog newer than the current one was refused.
        case catalog

        /// Levels come from the cache, and may be out of date.
        case levels
    }

    private let store: any UserStateStore
    private let catalog: LiveCatalog
    private let authentication: Authentication
    private let load: ServerLoad

    /// Creates the health of a server from the parts that may fail.
    package init(
        store: any UserStateStore,
        catalog: LiveCatalog,
        authentication: Authentication,
        load: ServerLoad
    ) {
        self.store = store
        self.catalog = catalog
        self.authentication = authentication
        self.load = load
    }

    /// Whether links can be resolved.
    package var isReady: Bool { (try? checkReadiness()) != nil }

    /// The reason why a newer catalog was refused, or `nil` for none.
    var catalogRefusal: String? { catalog.refusal }

    /// The parts that are failing.
    var failingParts: [Part] { Part.allCases.filter(fails) }

    /// Returns whether a part is failing.
    package func fails(_ part: Part) -> Bool {
        switch part {
        case .writes: store.refusesWrites
        case .keys: authentication.endUsers?.hasKeys == false
        case .catalog: catalog.refusal != nil
        case .levels: store.tellsStaleAccess
        }
    }

    /// Checks that links can be resolved: the server isn't stopping, and its store is usable.
    ///
    /// - Throws: `Problem` with the code `overloaded` if the server is stopping, or `user-state-unavailable` if the
    ///   store fails.
    func checkReadiness() throws(Problem) {
        guard !load.isDraining else { throw .stopping }
        do { try store.checkUsable() } catch { throw .userStateUnavailable(error) }
    }
}
