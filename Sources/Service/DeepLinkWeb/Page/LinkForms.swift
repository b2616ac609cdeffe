import DeepLinkCore

/// The forms of a link on a page, the same for every visitor: the link itself, and the links for apps.
struct LinkForms {
    /// The canonical link, with its signature; `nil` if it doesn't resolve or can't be printed.
    let link: String?

    /// The link of the QR code; `nil` if no app opens the link.
    let scanned: String?

    /// The addresses that open apps.
    let apps: AppLinks

    /// Creates the forms of a link that no app opens, or of none.
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
