import DeepLinkCore

/// The texts and addresses of a page, for one link and one visitor.
struct PageContent {
    let words: PageWords
    let siteName: PageText?
    let title: PageText
    let description: PageText?
    let image: String?
    let forms: LinkForms
    let fallback: String?

    /// Creates the page of a link that resolves, for any visitor.
    init(
        _ plan: RoutePlan,
        page: RoutePage?,
        forms: LinkForms,
        catalog: RouteCatalog,
        ranges: LanguageRanges
    ) {
        let words = PageWords.best(for: ranges)
        let values = PageValues(plan)
        func text(_ text: LocalizedText?) -> PageText? {
            text.flatMap { text in
                let version = ranges.best(of: text)
                return values.fill(version.text).map { PageText(text: $0, language: version.language) }
            }
        }
        self.words = words
        siteName = text(catalog.site.name)
        title = text(page?.title) ?? siteName ?? PageText(text: words.openTitle, language: words.language)
        description = text(page?.description)
        image = page?.image
        self.forms = forms
        fallback = page?.fallback?.address(with: plan.stack.last?.parameters ?? []) ?? catalog.site.fallback
    }

    /// Creates the page of a link that doesn't resolve.
    init(unknownIn catalog: RouteCatalog, forms: LinkForms, ranges: LanguageRanges) {
        words = PageWords.best(for: ranges)
        siteName = catalog.site.name.map { name in
            let version = ranges.best(of: name)
            return PageText(text: version.text, language: version.language)
        }
        title = PageText(text: words.unknownTitle, language: words.language)
        description = PageText(text: words.unknownText, language: words.language)
        image = nil
        self.forms = forms
        fallback = catalog.site.fallback
    }
}
