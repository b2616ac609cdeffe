package import DeepLinkCore
import DeepLinkFormats
import Synchronization

/// The pages of a catalog's web links for people, in contrast to the API.
package final class LinkPages: Sendable {
    /// The result for a visitor.
    package enum Response: Sendable {
        /// A page to show.
        case page(LinkPage)

        /// A redirect to another address.
        case redirect(String)
    }

    /// The result for a visitor, with its reasons.
    package struct VisitResult: Sendable {
        /// The page or the redirect.
        package let answer: Response

        /// The request, or `nil` if the link can't be parsed.
        package let request: ResolutionRequest?

        /// The plan of the link, at the highest level, or `nil` if it does not resolve.
        package let plan: RoutePlan?

        /// The unmatched segments of a link, from the first one without a match on, or `nil` if the link resolves or
        /// fails for another reason.
        package var unmatched: [String]?
    }

    /// The appearance of the pages.
    package let style: PageStyle

    private let site: PageSite
    private let keys: KeptKeys
    private let forms = PageParts<LinkForms>()
    private let codes = PageParts<QRCode?>()

    /// Creates the pages of a catalog.
    package init(_ catalog: RouteCatalog) {
        style = PageStyle(catalog.site.color, text: catalog.site.onColor)
        site = PageSite(catalog, style: style)
        keys = catalog.site.keep ?? .standard
    }

    /// Returns the page or redirect for a visitor of a link.
    ///
    /// - Parameters:
    ///   - bytes: the link as received.
    ///   - target: the target of the link, if it is a short link.
    ///   - visitor: the visitor.
    ///   - verifier: the keys. A link with an invalid signature doesn't resolve.
    ///   - time: the time of the check, read only if a signature is checked.
    /// - Returns: a page, or the address to redirect to, with the reasons.
    package func answer(
        link bytes: [UInt8],
        target: LinkTarget? = nil,
        to visitor: LinkVisitor,
        keys verifier: some SignatureVerifier,
        at time: @autoclosure () -> Timestamp
    ) -> VisitResult {
        let request = (try? DeepLink(bytes: bytes)).map { ResolutionRequest(link: $0, target: target) }
        let decision = request.map {
            decide($0, permissions: .all, catalog: site.catalog, keys: verifier, at: time())
        }
        guard let plan = try? decision?.plan() else {
            let page = unknownPage(for: visitor)
            return VisitResult(answer: .page(page), request: request, plan: nil, unmatched: decision?.unmatched)
        }
        let code = target == nil ? nil : shortLink(request)
        return VisitResult(answer: answer(plan, code: code, to: visitor), request: request, plan: plan)
    }

    /// Returns the page or redirect for a visitor of an unknown code, or of the bare host of short links.
    ///
    /// Browsers are redirected to the site's own address, if it has one.
    package func answerToUnknownCode(link bytes: [UInt8], to visitor: LinkVisitor) -> VisitResult {
        let request = (try? DeepLink(bytes: bytes)).map { ResolutionRequest(link: $0) }
        if visitor.isBrowser, let address = site.catalog.site.fallback?[visitor.platform]?.address(with: []) {
            return VisitResult(answer: .redirect(address), request: request, plan: nil)
        }
        return VisitResult(answer: .page(unknownPage(for: visitor)), request: request, plan: nil)
    }

    /// Returns the short link of a request, without its query.
    private func shortLink(_ request: ResolutionRequest?) -> String? {
        guard let link = request?.link, let code = site.catalog.shortLinkPlace(in: link)?.code else { return nil }
        return site.catalog.shortLink(code, host: link.host + (link.port.map { ":\($0)" } ?? ""))
    }

    /// Returns the page or redirect for a visitor of a link that resolves.
    private func answer(_ plan: RoutePlan, code shortLink: String?, to visitor: LinkVisitor) -> Response {
        let catalog = site.catalog
        let route = plan.topEdge?.child
        let page = route.flatMap { catalog.routes[$0].page }
        let query = CarriedQuery(plan, keeping: keys)
        let values = plan.stack.last?.parameters ?? []
        func address(_ pattern: FallbackPattern?) -> String? {
            pattern?.address(with: values).map { QueryItem.appending(query.kept, to: $0) }
        }
        let redirect = page?.fallback ?? (catalog.site.fallback?.everywhere == nil ? catalog.site.fallback : nil)
        if visitor.isBrowser, let address = address(redirect?[visitor.platform]) {
            return .redirect(address)
        }
        let forms = forms(
            of: plan,
            page,
            shortLink: shortLink,
            query: query,
            fallback: address(Self.androidFallback(of: page, on: catalog.site))
        )
        let hasCode = visitor.isBrowser && visitor.platform == .desktop
        let content = PageContent(
            plan,
            page: page,
            forms: forms,
            code: hasCode ? code(of: forms) : nil,
            fallback: address(page?.fallback?.onward(from: visitor.platform))
                ?? address(catalog.site.fallback?.onward(from: visitor.platform)),
            site: site,
            visitor: visitor
        )
        return .page(LinkPage(content, site: site, maxAge: plan.isSigned ? 0 : catalog.site.maxAge))
    }

    /// Returns the page for a link that doesn't resolve, or for an unknown code.
    private func unknownPage(for visitor: LinkVisitor) -> LinkPage {
        LinkPage(PageContent(\.unknownTitle, \.unknownText, site: site, visitor: visitor), site: site)
    }

    /// Returns the page for a rate-limited visitor.
    package func waitingPage(for visitor: LinkVisitor) -> LinkPage {
        LinkPage(PageContent(\.waitTitle, \.waitText, site: site, visitor: visitor), site: site)
    }

    /// Returns the address that Android opens without the app: the route's, or else the site's, or `nil` for the store.
    ///
    /// The store has priority over an address for all platforms.
    private static func androidFallback(of page: RoutePage?, on site: Site) -> FallbackPattern? {
        page?.fallback?.platforms[.android] ?? site.fallback?.platforms[.android]
    }

    /// Returns the forms of a link on its page, without an app if the link opens in the browser or can't be printed.
    private func forms(
        of plan: RoutePlan,
        _ page: RoutePage?,
        shortLink: String?,
        query: CarriedQuery,
        fallback: String?
    ) -> LinkForms {
        let stores = site.stores(of: plan.app)
        let canonical = PrintedLink.canonical(plan, in: site.catalog)
        guard let shown = shortLink ?? canonical else { return LinkForms(stores, campaign: query.campaign) }
        let make = { [site] in
            let link = PrintedLink(
                shown,
                isShort: shortLink != nil,
                canonical: canonical,
                of: plan,
                page,
                query: query,
                in: site.catalog
            )
            return page?.opens == .web
                ? LinkForms(stores, link: link, campaign: query.campaign)
                : LinkForms(link, stores: stores, fallback: fallback)
        }
        // Everything else in the forms follows from the canonical link, of another scheme where none is of https.
        guard let link = canonical ?? plan.canonicalLink else { return make() }
        let key = [link, shortLink ?? "", query.keptText, query.campaignText].joined(separator: " ")
        return forms.part(of: key, make: make, size: \.byteCount)
    }

    /// Returns the QR code of a link, or `nil` if no app opens the link or it is too long.
    private func code(of forms: LinkForms) -> QRCode? {
        guard let link = forms.scanned else { return nil }
        return codes.part(of: link, make: { QRCode(link) }, size: { $0?.path.count ?? 0 })
    }
}

/// A page, with the properties that determine its header fields.
package struct LinkPage: Sendable {
    /// The HTML.
    package let bytes: [UInt8]

    /// The addresses of its images.
    package let images: [String]

    /// Whether it contains the script of the button that copies the link.
    package let hasScript: Bool

    /// The number of seconds for which caches may store it, or 0 if they may not.
    package let maxAge: Int

    init(_ content: PageContent, site: PageSite, maxAge: Int = 0) {
        bytes = PageDocument.html(content, style: site.style)
        images = [content.icon, content.image?.address].compactMap(\.self)
        hasScript = content.forms.apps.copied != nil
        self.maxAge = maxAge
    }
}

/// A cache of parts of pages, by link.
///
/// A link is often followed many times, and a QR code costs more than the rest of a page.
final class PageParts<Part: Sendable>: Sendable {
    /// The maximum number of parts.
    ///
    /// With some 2 KiB each, they stay below 10 MiB.
    private static var capacity: Int { 4_096 }

    /// The maximum size of a cached part in bytes: the QR code of a link of some 150 bytes.
    private static var maximumByteCount: Int { 4_096 }

    private let parts = Mutex(TwoGenerations<ByteText, Part>(capacity: PageParts.capacity))

    /// Returns the cached part of a link, or makes and caches it.
    ///
    /// - Parameters:
    ///   - key: the link, with everything else that determines the part.
    ///   - make: makes the part.
    ///   - size: returns the size of the part in bytes.
    /// - Returns: the part.
    func part(of key: String, make: () -> Part, size: (Part) -> Int) -> Part {
        let key = key.bytewise
        if let known = parts.withLock({ $0.use(key) }) { return known }
        let part = make()
        if size(part) <= Self.maximumByteCount { parts.withLock { $0.insert(part, for: key) } }
        return part
    }
}
