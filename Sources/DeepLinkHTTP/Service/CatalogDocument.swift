import DeepLinkCore
import DeepLinkFormats
import NIOCore

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
