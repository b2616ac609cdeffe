package import DeepLinkCore
import DeepLinkFormats
package import DeepLinkStorage
import HTTPServer
import NIOCore
import Synchronization

/// The current catalog.
///
/// It is replaced as a whole while requests are answered.
///
/// A responder reads ``current`` once for each request, so that no response mixes two catalogs.
package final class LiveCatalog: Sendable {
    private struct State {
        var catalog: RouteCatalog
        var document: SharedDocument
        var linkSite: LinkSite
        var refusal: String?
        var renames: [LevelRename] = []
    }

    private let state: Mutex<State>
    private let replacements = Atomic(0)
    private let wantedBits: Atomic<UInt8>

    /// Creates the holder of a catalog.
    package init(_ catalog: RouteCatalog) {
        wantedBits = Atomic(RequestFields.Wanted(by: catalog).rawValue)
        state = Mutex(State(catalog: catalog, document: Self.document(of: catalog), linkSite: LinkSite(catalog)))
    }

    /// Writes the body of `GET /v1/catalog` once, when a catalog becomes the current one.
    ///
    /// For 100,000 routes it has 14 MB.
    private static func document(of catalog: RouteCatalog) -> SharedDocument {
        SharedDocument(ByteBuffer(bytes: CatalogBody(catalog).json), version: catalog.version)
    }

    /// The catalog that new requests are resolved against.
    package var current: RouteCatalog { state.withLock { $0.catalog } }

    /// The document of the current catalog.
    var document: SharedDocument { state.withLock { $0.document } }

    /// The association files and pages of the current catalog.
    var linkSite: LinkSite { state.withLock { $0.linkSite } }

    /// The header fields that have a meaning in the current catalog.
    var wantedFields: RequestFields.Wanted { RequestFields.Wanted(rawValue: wantedBits.load(ordering: .relaxed)) }

    /// The number of replacements of the catalog.
    ///
    /// A result derived from ``current`` is valid while this number, read before it, is unchanged.
    var generation: Int { replacements.load(ordering: .acquiring) }

    /// The reason why the newest version of the file was refused, or `nil` if it is the current one.
    package var refusal: String? { state.withLock { $0.refusal } }

    /// Replaces the catalog.
    package func replace(with catalog: RouteCatalog) {
        let document = Self.document(of: catalog)
        let linkSite = LinkSite(catalog)
        wantedBits.store(RequestFields.Wanted(by: catalog).rawValue, ordering: .relaxed)
        state.withLock {
            let renames = $0.renames
            $0 = State(catalog: catalog.reading(renames), document: document, linkSite: linkSite, renames: renames)
        }
        replacements.add(1, ordering: .releasing)
    }

    /// Returns the levels of a catalog that also accept the names given by renames in the database.
    package func levels(of catalog: RouteCatalog) -> LevelLadder {
        state.withLock { $0.renames.isEmpty ? catalog.levels : catalog.levels.reading($0.renames) }
    }

    /// Returns the names of a catalog's levels and grants, including the names to which levels were renamed in the
    /// database.
    package func names(of catalog: RouteCatalog) -> AccessNames {
        AccessNames(levels: levels(of: catalog), grants: GrantNames(of: catalog))
    }

    /// Lets the current catalog, and later ones, accept the names to which levels were renamed in the database.
    ///
    /// - Returns: Whether the current catalog now accepts other names.
    @discardableResult
    package func read(_ renames: [LevelRename]) -> Bool {
        let isOther = state.withLock { state in
            let catalog = state.catalog.reading(renames)
            defer { (state.catalog, state.renames) = (catalog, renames) }
            return catalog !== state.catalog
        }
        if isOther { replacements.add(1, ordering: .releasing) }
        return isOther
    }

    /// Records that the newest version of the file cannot be used, so that the current catalog remains.
    package func refuse(_ reason: String) {
        state.withLock { $0.refusal = reason }
    }
}

extension RequestFields.Wanted {
    /// Creates the set of fields that have a meaning in a catalog.
    fileprivate init(by catalog: RouteCatalog) {
        let app: Self = catalog.asksForApps ? .app : .none
        self = app.union(catalog.takesAssertions ? .holds : .none)
    }
}
