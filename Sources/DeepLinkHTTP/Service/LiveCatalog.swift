package import DeepLinkCore
import Synchronization

/// The catalog in force, which is swapped whole while requests are answered.
///
/// Whoever answers a request takes ``current`` once, so that no answer mixes two catalogs.
package final class LiveCatalog: Sendable {
    private struct State {
        var catalog: RouteCatalog
        var document: CatalogDocument
        var links: LinkDomain
        var refusal: String?
    }

    private let state: Mutex<State>
    private let replacements = Atomic(0)
    private let appsAreAskedFor: Atomic<Bool>

    /// Begins with a catalog.
    package init(_ catalog: RouteCatalog) {
        appsAreAskedFor = Atomic(catalog.asksForApps)
        state = Mutex(State(catalog: catalog, document: CatalogDocument(catalog), links: LinkDomain(catalog)))
    }

    /// The catalog in force.
    package var current: RouteCatalog { state.withLock { $0.catalog } }

    /// What clients see of the catalog in force.
    var document: CatalogDocument { state.withLock { $0.document } }

    /// What phones and browsers see of the catalog in force.
    var links: LinkDomain { state.withLock { $0.links } }

    /// Whether some place of the catalog in force takes a version of the app.
    var asksForApps: Bool { appsAreAskedFor.load(ordering: .relaxed) }

    /// How often another catalog was put in force: what was concluded from ``current`` holds while this stays as it was
    /// read before.
    var generation: Int { replacements.load(ordering: .acquiring) }

    /// Why the newest version of the file is not in force; `nil` where it is.
    package var refusal: String? { state.withLock { $0.refusal } }

    /// Puts a catalog in force.
    package func replace(with catalog: RouteCatalog) {
        let document = CatalogDocument(catalog)
        let links = LinkDomain(catalog)
        appsAreAskedFor.store(catalog.asksForApps, ordering: .relaxed)
        state.withLock { $0 = State(catalog: catalog, document: document, links: links) }
        replacements.add(1, ordering: .releasing)
    }

    /// Keeps the catalog in force, because the newest version of the file cannot be used.
    package func refuse(_ reason: String) {
        state.withLock { $0.refusal = reason }
    }
}
