import DeepLinkCore

/// The texts and addresses of a page, for one link and one visitor.
struct PageContent {
    let words: PageWords
    let siteName: PageText?
    let title: PageText
    let description: PageText?
    let icon: String?
    let image: PageImage?
    let imageText: PageText?
    let forms: LinkForms
    let code: QRCode?
    let fallback: String?
    let platform: DevicePlatform
    let stores: StoreLinks

    /// Creates the page of a link that resolves.
    init(
        _ plan: RoutePlan,
        page: RoutePage?,
        forms: LinkForms,
        code: QRCode?,
        fallback: String?,
        site: PageSite,
        visitor: LinkVisitor
    ) {
        let ranges = visitor.languages
        let words = PageWords.best(for: ranges)
        let values = PageValues(plan)
        func text(_ text: LocalizedText?) -> PageText? {
            text.flatMap { text in
                let version = ranges.best(of: text)
                return values.fill(version.text).map { PageText(text: $0, language: version.language) }
            }
        }
        self.words = words
        siteName = text(site.catalog.site.name)
        title = text(page?.title) ?? siteName ?? PageText(text: words.openTitle, language: words.language)
        description = text(page?.description)
        icon = site.catalog.site.icon
        image = page?.image
        imageText = text(page?.image?.alternative)
        self.forms = forms
        self.code = code
        self.fallback = fallback
        platform = visitor.platform
        stores = site.stores
    }

    /// Creates a page without a link: of one that doesn't resolve, or of a visitor who is to wait.
    ///
    /// - Parameters:
    ///   - title: the title in the visitor's language.
    ///   - text: the description in the visitor's language.
    ///   - site: the site.
    ///   - visitor: the visitor.
    init(
        _ title: KeyPath<PageWords, String>,
        _ text: KeyPath<PageWords, String>,
        site: PageSite,
        visitor: LinkVisitor
    ) {
        let ranges = visitor.languages
        let words = PageWords.best(for: ranges)
        self.words = words
        siteName = site.catalog.site.name.map { name in
            let version = ranges.best(of: name)
            return PageText(text: version.text, language: version.language)
        }
        self.title = PageText(text: words[keyPath: title], language: words.language)
        description = PageText(text: words[keyPath: text], language: words.language)
        icon = site.catalog.site.icon
        (image, imageText, code) = (nil, nil, nil)
        forms = LinkForms(site.stores)
        fallback = site.catalog.site.fallback?.onward(from: visitor.platform)?.address(with: [])
        platform = visitor.platform
        stores = site.stores
    }
}

/// The parts of pages that are the same on all of a catalog's.
struct PageSite {
    /// The catalog.
    let catalog: RouteCatalog

    /// The apps in their stores.
    let stores: StoreLinks

    /// The style sheet.
    let style: PageStyle
}
