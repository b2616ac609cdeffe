package import DeepLinkAuthentication
import DeepLinkFormats
package import DeepLinkStorage

/// The health of a server that answers: whether links can be resolved, and which parts fail meanwhile.
package struct ServiceHealth: Sendable {
    /// A part that may fail while links are resolved, as `/readyz` names it.
    package enum Part: String, CaseIterable, Sendable {
        /// Changes are refused.
        case writes

        /// There are no keys to verify end users' tokens with.
        case keys = "jwt-keys"

        /// A newer catalog than the one in force was refused.
        case catalog

        /// Levels are answered from memory, and may be out of date.
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

    /// The reason why a newer catalog is not in force; `nil` if there is none.
    var catalogRefusal: String? { catalog.refusal }

    /// The parts that fail now.
    var failingParts: [Part] { Part.allCases.filter(fails) }

    /// Returns whether a part fails now.
    package func fails(_ part: Part) -> Bool {
        switch part {
        case .writes: store.refusesWrites
        case .keys: authentication.endUsers?.hasKeys == false
        case .catalog: catalog.refusal != nil
        case .levels: store.tellsStaleAccess
        }
    }

    /// Checks that links can be resolved: the server isn't stopping, and its store can be used.
    ///
    /// - Throws: `Problem` of code `overloaded` if the server is stopping, `user-state-unavailable` if the store fails.
    func checkReadiness() throws(Problem) {
        guard !load.isDraining else { throw .stopping }
        do { try store.checkUsable() } catch { throw .userStateUnavailable(error) }
    }
}
