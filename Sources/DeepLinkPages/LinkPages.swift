package import DeepLinkCore

/// The pages of a catalog's web links, for visitors who are no program.
package final class LinkPages: Sendable {
    /// What a visitor gets.
    package enum Answer: Sendable {
        /// A page, of a link that leads to something or not.
        case page([UInt8], isKnown: Bool)

        /// The way to another address.
        case redirect(String)
    }

    private let catalog: RouteCatalog
    private let stores: StoreLinks
    private let recent = RecentLinks()

    /// Prepares the pages of a catalog.
    package init(_ catalog: RouteCatalog) {
        self.catalog = catalog
        stores = StoreLinks(catalog)
    }

    /// Answers a visitor of a link.
    ///
    /// - Parameters:
    ///   - bytes: the link as it came.
    ///   - acceptLanguage: the field that says which languages the visitor reads.
    ///   - isBrowser: whether a person may be sent on to where a route's fallback leads; else it is a preview.
    /// - Returns: a page, or the address to go on to.
    package func answer(link bytes: [UInt8], acceptLanguage: String?, isBrowser: Bool) -> Answer {
        let request = (try? DeepLink(bytes: bytes)).map { ResolutionRequest(link: $0) }
        guard let request, case .plan(let plan) = resolve(request, userLevel: .highest, catalog: catalog) else {
            let content = PageContent(unknownIn: catalog, LinkForms(stores), LanguageRanges(acceptLanguage))
            return .page(PageDocument.html(content), isKnown: false)
        }
        let page = plan.topEdge.flatMap { catalog.routes[$0.child].page }
        if isBrowser, let address = page?.fallback?.address(with: plan.stack.last?.parameters ?? []) {
            return .redirect(address)
        }
        let content = PageContent(plan, forms(of: plan, request), catalog, LanguageRanges(acceptLanguage))
        return .page(PageDocument.html(content), isKnown: true)
    }

    /// Returns what the page of a link shows of it; no app where the link is kept in the browser, or cannot be printed.
    private func forms(of plan: RoutePlan, _ request: ResolutionRequest) -> LinkForms {
        let demand = signatureDemand(of: request, catalog: catalog)
        guard let link = plan.canonicalLink.map({ demand?.signing($0) ?? $0 }) else { return LinkForms(stores) }
        let page = plan.topEdge.flatMap { catalog.routes[$0.child].page }
        if page?.opens == .web { return LinkForms(stores, link: link) }
        return recent.forms(of: link) {
            LinkForms(link: link, AppLinks(catalog, stores, link: link, stack: plan.stack, demand))
        }
    }
}

extension AuthorizationLevel {
    /// The level that may go anywhere: a page says nothing of who looks at it.
    fileprivate static var highest: AuthorizationLevel { allCases.last ?? .none }
}
