import DeepLinkCore
import DeepLinkReporting
import HTTPServer

/// The cache of responses to visitors of recent links.
///
/// The same link is followed by many visitors, for example from a post, a mail or a poster. A response depends only on
/// the link and the visitor, unless the link has a signature. Signatures are checked each time. Other responses are
/// cached from the second time on.
///
/// Memory is bounded, by 512 responses of at most 16 KiB each.
final class PageCache: Sendable {
    /// A response to a visitor.
    ///
    /// It is a class, since each repetition refers to it.
    final class Page: Sendable {
        let response: EndpointResponse

        /// The visit, for observers.
        let visit: PageVisit

        /// Whether the response depends only on the link and the visitor.
        let isLasting: Bool

        /// Creates a page from its parts.
        init(_ response: EndpointResponse, to visit: PageVisit, isLasting: Bool) {
            self.response = response
            self.visit = visit
            self.isLasting = isLasting
        }
    }

    private static let maximumPageByteCount = 16 * 1024

    private let pages = RepeatCache<Page>(capacity: 512, maximumKeyByteCount: 1024)

    /// Returns the cached page for a key, or makes it.
    ///
    /// - Parameters:
    ///   - key: everything that the page depends on, except a signature.
    ///   - catalog: the catalog.
    ///   - make: makes the page.
    /// - Returns: the page.
    func page(for key: [UInt8], in catalog: RouteCatalog, make: () -> Page) -> Page {
        switch pages.find(key.span, in: catalog) {
        case .known(let page): return page
        case .new: return make()
        case .again:
            let page = make()
            if page.isLasting, page.response.contentLength ?? 0 <= Self.maximumPageByteCount {
                pages.keep(key, in: catalog) { _ in page }
            }
            return page
        }
    }
}
