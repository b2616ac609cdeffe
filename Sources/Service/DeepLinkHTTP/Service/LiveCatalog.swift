package import DeepLinkCore
import DeepLinkFormats
package import DeepLinkStorage
import NIOCore
import Synchronization

/// The catalog in force, which is replaced whole while requests are answered.
///
/// A responder reads ``current`` once for each request, so that no answer mixes two catalogs.
package final class LiveCatalog: Sendable {
    private struct State {
        var catalog: RouteCatalog
        var document: CatalogDocument
        var links: LinkDomain
        var refusal: String?
        var renames: [LevelRename] = []
    }

    private let state: Mutex<State>
    private let replacements = Atomic(0)
    private let wantedBits: Atomic<UInt8>

    /// Begins with a catalog.
    package init(_ catalog: RouteCatalog) {
        wantedBits = Atomic(RequestFields.Wanted(by: catalog).rawValue)
        state = Mutex(State(catalog: catalog, document: CatalogDocument(catalog), links: LinkDomain(catalog)))
    }

    /// The catalog in force.
    package var current: RouteCatalog { state.withLock { $0.catalog } }

    /// The document of the catalog in force.
    var document: CatalogDocument { state.withLock { $0.document } }

    /// The association files and pages of the catalog in force.
    var links: LinkDomain { state.withLock { $0.links } }

    /// The header fields that the catalog in force gives a meaning.
    var wantedFields: RequestFields.Wanted { RequestFields.Wanted(rawValue: wantedBits.load(ordering: .relaxed)) }

    /// The number of times another catalog was put in force: a conclusion from ``current`` is valid while this number,
    /// read before it, is unchanged.
    var generation: Int { replacements.load(ordering: .acquiring) }

    /// The reason why the newest version of the file is not in force; `nil` if it is.
    package var refusal: String? { state.withLock { $0.refusal } }

    /// Puts a catalog in force.
    package func replace(with catalog: RouteCatalog) {
        let document = CatalogDocument(catalog)
        let links = LinkDomain(catalog)
        wantedBits.store(RequestFields.Wanted(by: catalog).rawValue, ordering: .relaxed)
        state.withLock {
            let renames = $0.renames
            $0 = State(catalog: catalog.reading(renames), document: document, links: links, renames: renames)
        }
        replacements.add(1, ordering: .releasing)
    }

    /// Returns the levels of a catalog, which also reads the names that they have been given in the database.
    package func levels(of catalog: RouteCatalog) -> LevelLadder {
        state.withLock { $0.renames.isEmpty ? catalog.levels : catalog.levels.reading($0.renames) }
    }

    /// Returns the names of a catalog's levels and grants, with those that levels have been given in the database.
    package func names(of catalog: RouteCatalog) -> AccessNames {
        AccessNames(levels: levels(of: catalog), grants: GrantNames(of: catalog))
    }

    /// Lets the catalog in force, and those after it, read the names that levels have been given in the database.
    ///
    /// - Returns: Whether the catalog in force reads other names now.
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

    /// Keeps the catalog in force, because the newest version of the file cannot be used.
    package func refuse(_ reason: String) {
        state.withLock { $0.refusal = reason }
    }
}

extension RequestFields.Wanted {
    /// The fields that a catalog gives a meaning.
    fileprivate init(by catalog: RouteCatalog) {
        self = []
        if catalog.asksForApps { insert(.app) }
        if catalog.takesAssertions { insert(.holds) }
    }
}

/// The body of `GET /v1/catalog`, made once when a catalog is put in force: that of 100,000 routes has 14 MB.
struct CatalogDocument: Sendable {
    /// The JSON, shared by all answers.
    let body: ByteBuffer

    /// The catalog's version as an entity tag, with its quotes.
    let tag: String

    /// Writes the document of a catalog.
    init(_ catalog: RouteCatalog) {
        body = ByteBuffer(bytes: CatalogBody(catalog).json)
        tag = "\"\(catalog.version)\""
    }
}
