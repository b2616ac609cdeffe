package import DeepLinkCore
import Synchronization

/// The pages of a catalog's web links, for visitors who are no program.
package final class LinkPages: Sendable {
    /// What a visitor gets.
    package enum Answer: Sendable {
        /// A page, of a link that leads to something or not.
        case page([UInt8], isKnown: Bool)

        /// The way to another address.
        case redirect(String)
    }

    /// The most codes that are kept.
    private static let maximumKeptCount = 512

    private let catalog: RouteCatalog

    /// The codes that were made before, by their links.
    private let codes = Mutex<[ByteText: QRCode]>([:])

    /// Prepares the pages of a catalog.
    package init(_ catalog: RouteCatalog) {
        self.catalog = catalog
    }

    /// Answers a visitor of a link.
    ///
    /// - Parameters:
    ///   - bytes: the link as it came.
    ///   - acceptLanguage: the field that says which languages the visitor reads.
    ///   - isBrowser: whether a person may be sent on to where a route's fallback leads; else it is a preview.
    /// - Returns: a page, or the address to go on to.
    package func answer(link bytes: [UInt8], acceptLanguage: String?, isBrowser: Bool) -> Answer {
        let ranges = LanguageRanges(acceptLanguage)
        guard let link = try? DeepLink(bytes: bytes),
            case .plan(let plan) = resolve(ResolutionRequest(link: link), userLevel: .highest, catalog: catalog)
        else { return .page(PageDocument.html(PageContent(unknownIn: catalog, ranges), nil), isKnown: false) }
        let page = plan.topEdge.flatMap { catalog.routes[$0.child].page }
        if isBrowser, let address = page?.fallback?.address(with: plan.stack.last?.parameters ?? []) {
            return .redirect(address)
        }
        let content = PageContent(plan, catalog, ranges)
        // The code leads a phone to the link, which is of use where an app opens it.
        let code = page?.opens == .web ? nil : content.link.flatMap(code)
        return .page(PageDocument.html(content, code), isKnown: true)
    }

    private func code(of link: String) -> QRCode? {
        if let known = codes.withLock({ $0[link.bytewise] }) { return known }
        guard let code = QRCode(link) else { return nil }
        codes.withLock { codes in
            // Links that nobody asks for any more must not fill the memory.
            if codes.count >= Self.maximumKeptCount { codes.removeAll() }
            codes[link.bytewise] = code
        }
        return code
    }
}

extension AuthorizationLevel {
    /// The level that may go anywhere: a page says nothing of who looks at it.
    fileprivate static var highest: AuthorizationLevel { allCases.last ?? .none }
}
