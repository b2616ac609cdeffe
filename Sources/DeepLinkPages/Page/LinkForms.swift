import DeepLinkCore

/// What a page shows of a link, whoever visits it: the link itself, for apps, and as a code.
struct LinkForms {
    /// The link as the engine prints it, with its signature; `nil` where it leads nowhere or cannot be printed.
    let link: String?

    /// The addresses that lead to apps.
    let apps: AppLinks

    /// The code that leads a phone to the link; `nil` where no app opens it, or where it is too long for one.
    let code: QRCode?

    /// Shows a link that no app opens, or none.
    init(_ stores: StoreLinks, link: String? = nil) {
        self.link = link
        apps = AppLinks(stores)
        code = nil
    }

    /// Shows a link that apps open.
    init(link: String, _ apps: AppLinks) {
        self.link = link
        self.apps = apps
        code = QRCode(link)
    }
}
