package import DeepLinkCore

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
        stores = site.stores(of: plan.app)
    }

    /// Creates a page without a link, for a link that doesn't resolve or a rate-limited visitor.
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
        let stores = site.stores(of: nil)
        forms = LinkForms(stores)
        fallback = site.catalog.site.fallback?.onward(from: visitor.platform)?.address(with: [])
        platform = visitor.platform
        self.stores = stores
    }
}

/// The parts shared by all pages of a catalog.
struct PageSite {
    /// The catalog of the site's links.
    let catalog: RouteCatalog

    /// The style sheet.
    let style: PageStyle

    /// The addresses of the first app, for links of every app.
    private let first: StoreLinks

    /// The addresses of the named apps, in the order of the file.
    private let named: [StoreLinks]

    init(_ catalog: RouteCatalog, style: PageStyle) {
        self.catalog = catalog
        self.style = style
        first = StoreLinks(catalog.apps.first)
        named = catalog.apps.named.map(StoreLinks.init)
    }

    /// Returns the addresses and identifiers of the app that opens a stack's links: of the first app for a stack of every
    /// app, and for no stack.
    func stores(of app: AppIndex?) -> StoreLinks { app.map { named[Int($0.place)] } ?? first }
}

/// The forms of a link on a page, the same for every visitor: the link itself, and the links for apps.
struct LinkForms {
    /// The canonical link, with its signature, or `nil` if it doesn't resolve or can't be printed.
    let link: String?

    /// The link of the QR code, or `nil` if no app opens the link.
    let scanned: String?

    /// The addresses that open apps.
    let apps: AppLinks

    /// Creates the forms of a link that no app opens, or of no link.
    init(_ stores: StoreLinks, link: PrintedLink? = nil, campaign: [QueryItem] = []) {
        self.link = link?.canonical
        scanned = nil
        apps = AppLinks(stores, campaign: campaign)
    }

    /// Creates the forms of a link that apps open.
    init(_ link: PrintedLink, stores: StoreLinks, fallback: String?) {
        self.link = link.canonical
        scanned = link.web
        apps = AppLinks(link, stores: stores, fallback: fallback)
    }

    /// The size of the texts, in bytes.
    var byteCount: Int {
        let texts = [link, scanned, apps.apple, apps.android, apps.banner, apps.copied, apps.appStore, apps.googlePlay]
        return texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}

/// The visitor of a link's page: the properties that determine the page.
package struct LinkVisitor: Sendable {
    /// Whether the visitor is a browser that may be redirected, and not a program that makes previews.
    package let isBrowser: Bool

    /// The platform of the visitor's device.
    package let platform: DevicePlatform

    /// The value of the visitor's `Accept-Language`.
    package let acceptLanguage: String?

    /// The visitor's languages, best first.
    let languages: LanguageRanges

    /// Creates a visitor from its parts.
    package init(isBrowser: Bool, platform: DevicePlatform = .desktop, acceptLanguage: String? = nil) {
        self.isBrowser = isBrowser
        self.platform = platform
        self.acceptLanguage = acceptLanguage
        languages = LanguageRanges(acceptLanguage)
    }
}

/// The values of a link that may appear in a text, because a sender can't choose their wording.
///
/// The author of a link chooses its texts, and visitors would trust them on a page of the site.
struct PageValues {
    private var values: [ByteText: String] = [:]

    /// Reads the numbers, UUIDs, dates and enumeration values of the top destination.
    init(_ plan: RoutePlan) {
        guard let edge = plan.topEdge, let top = plan.stack.last else { return }
        for parameter in edge.parameters {
            guard case .scalar(let type) = parameter.type else { continue }
            switch type {
            case .int, .uuid, .date, .enumeration: break
            case .string, .double, .bool, .dateTime: continue
            }
            let bound = top.parameters.first { $0.name.bytewise == parameter.name.bytewise }
            if let bound { values[parameter.name.bytewise] = bound.value.text }
        }
    }

    /// Returns a text with its placeholders replaced, or `nil` if a value is missing.
    func fill(_ text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        var filled = ""
        for part in TextTemplate(text).parts {
            switch part {
            case .text(let text): filled += text
            case .parameter(let name):
                guard let value = values[name.bytewise] else { return nil }
                filled += value
            }
        }
        return filled
    }
}

/// The addresses and identifiers of an app, shared by the pages of its links.
struct StoreLinks {
    /// The app's page in the App Store.
    let appStore: String?

    /// The app's id in the App Store.
    let appStoreID: String?

    /// The app's page on Google Play, without a referrer.
    let googlePlay: String?

    /// The package name of the Android app.
    let package: String?

    /// The content of Safari's app banner, without a link.
    ///
    /// An app's clip stands beside its number ("Supporting invocations from your website and the Messages app" of Apple's
    /// documentation).
    let banner: String?

    /// Whether pages have a button that copies the link.
    let copies: Bool

    /// Finds the first form of an app on each platform.
    init(_ app: DeclaredApp) {
        let ios = app.apple.first
        appStore = ios?.storeLink
        appStoreID = ios?.storeID
        banner = ios?.storeID
            .map { id in
                "app-id=\(id)" + (ios?.clipBundleID.map { ", app-clip-bundle-id=\($0)" } ?? "")
            }
        copies = ios?.copies ?? false
        let android = app.android.first
        googlePlay = android?.storeLink
        package = android?.package
    }

    /// Returns the app's page on Google Play with an encoded referrer.
    func googlePlay(referrer: String?) -> String? {
        googlePlay.map { address in referrer.map { "\(address)&referrer=\($0)" } ?? address }
    }
}
