import DeepLinkCore

/// What a page says and where it leads, for one link and one visitor.
struct PageContent {
    let words: PageWords
    let siteName: PageText?
    let title: PageText
    let description: PageText?
    let image: String?
    let link: String?
    let apps: AppLinks
    let fallback: String?

    /// Whether the link leads to something.
    let isKnown: Bool

    /// Puts together the page of a link that resolves, whoever may go there; the links on it keep its signature.
    init(_ plan: RoutePlan, _ catalog: RouteCatalog, _ ranges: LanguageRanges, _ demand: SignatureDemand? = nil) {
        let words = PageWords.best(for: ranges)
        let stack = plan.stack
        let page = plan.topEdge.flatMap { catalog.routes[$0.child].page }
        let values = PageValues(plan)
        func text(_ text: LocalizedText?) -> PageText? {
            text.flatMap { text in
                let version = ranges.best(of: text)
                return values.fill(version.text).map { PageText(text: $0, language: version.language) }
            }
        }
        self.words = words
        isKnown = true
        siteName = text(catalog.site.name)
        title = text(page?.title) ?? siteName ?? PageText(text: words.openTitle, language: words.language)
        description = text(page?.description)
        image = page?.image
        let link = plan.canonicalLink.map { demand?.signing($0) ?? $0 }
        self.link = link
        // What is kept in the browser offers no app.
        apps = AppLinks(catalog, link: page?.opens == .web ? nil : link, stack: stack, demand)
        fallback = page?.fallback?.address(with: stack.last?.parameters ?? []) ?? catalog.site.fallback
    }

    /// Puts together the page of a link that leads nowhere.
    init(unknownIn catalog: RouteCatalog, _ ranges: LanguageRanges) {
        words = PageWords.best(for: ranges)
        isKnown = false
        siteName = catalog.site.name.map { name in
            let version = ranges.best(of: name)
            return PageText(text: version.text, language: version.language)
        }
        title = PageText(text: words.unknownTitle, language: words.language)
        description = PageText(text: words.unknownText, language: words.language)
        image = nil
        link = nil
        apps = AppLinks(catalog, link: nil, stack: [])
        fallback = catalog.site.fallback
    }
}
