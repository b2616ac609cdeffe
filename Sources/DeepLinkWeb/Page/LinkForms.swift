import DeepLinkCore

/// The forms of a link on a page, the same for every visitor: the link itself, the links for apps, and a QR code.
struct LinkForms {
    /// The link as the engine prints it, with its signature; `nil` if it doesn't resolve or can't be printed.
    let link: String?

    /// The addresses that open apps.
    let apps: AppLinks

    /// The QR code of the link; `nil` if no app opens the link, or if it is too long.
    let code: QRCode?

    /// Creates the forms of a link that no app opens, or of none.
    init(_ stores: StoreLinks, link: String? = nil) {
        self.link = link
        apps = AppLinks(stores)
        code = nil
    }

    /// Creates the forms of a link that apps open.
    init(link: String, _ apps: AppLinks) {
        self.link = link
        self.apps = apps
        code = QRCode(link)
    }
}
