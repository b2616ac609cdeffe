package import DeepLinkCore
package import DeepLinkFormats

/// The pages of a catalog's web links for people, as opposed to programs.
package final class LinkPages: Sendable {
    /// The answer to a visitor.
    package enum Answer: Sendable {
        /// A page, for a link that resolves or one that doesn't.
        case page([UInt8], isKnown: Bool)

        /// A redirect to another address.
        case redirect(String)
    }

    private let catalog: RouteCatalog
    private let stores: StoreLinks
    private let recent = RecentLinks()

    /// Creates the pages of a catalog.
    package init(_ catalog: RouteCatalog) {
        self.catalog = catalog
        stores = StoreLinks(catalog)
    }

    /// Returns the answer to a visitor of a link.
    ///
    /// - Parameters:
    ///   - bytes: the link as received.
    ///   - acceptLanguage: the header field with the visitor's languages.
    ///   - isBrowser: whether a route's fallback may redirect the visitor; otherwise the request is a preview.
    ///   - verifier: the keys; a link with an invalid signature doesn't resolve.
    ///   - time: the time of the check, read only if a signature is checked.
    /// - Returns: a page, or the address to redirect to.
    package func answer(
        link bytes: [UInt8],
        acceptLanguage: String?,
        isBrowser: Bool,
        keys verifier: some SignatureVerifier,
        at time: @autoclosure () -> Timestamp
    ) -> Answer {
        let request = (try? DeepLink(bytes: bytes)).map { ResolutionRequest(link: $0) }
        let decision = request.map { decide($0, userLevel: .highest, catalog: catalog, keys: verifier, at: time()) }
        guard let plan = try? decision?.plan() else {
            let content = PageContent(
                unknownIn: catalog,
                forms: LinkForms(stores),
                ranges: LanguageRanges(acceptLanguage)
            )
            return .page(PageDocument.html(content), isKnown: false)
        }
        let page = plan.topEdge.flatMap { catalog.routes[$0.child].page }
        if isBrowser, let address = page?.fallback?.address(with: plan.stack.last?.parameters ?? []) {
            return .redirect(address)
        }
        let content = PageContent(
            plan,
            page: page,
            forms: forms(of: plan, page),
            catalog: catalog,
            ranges: LanguageRanges(acceptLanguage)
        )
        return .page(PageDocument.html(content), isKnown: true)
    }

    /// Returns the forms of a link on its page; no app if the link opens in the browser or can't be printed.
    private func forms(of plan: RoutePlan, _ page: RoutePage?) -> LinkForms {
        let demand = plan.signature
        guard let link = plan.canonicalLink.map({ demand?.signing($0) ?? $0 }) else { return LinkForms(stores) }
        if page?.opens == .web { return LinkForms(stores, link: link) }
        return recent.forms(of: link) {
            LinkForms(link: link, AppLinks(catalog, stores: stores, link: link, stack: plan.stack, demand: demand))
        }
    }
}
