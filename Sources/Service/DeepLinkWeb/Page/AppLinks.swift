import DeepLinkCore

/// The addresses on a page that open apps and stores.
struct AppLinks {
    /// The link that opens the app on Apple's systems.
    ///
    /// It has a custom scheme, because a link to the same site stays in Safari.
    let apple: String?

    /// The link that opens the app on Android, in browsers that support `intent:`.
    let android: String?

    /// The content of Safari's app banner.
    let banner: String?

    /// The link that a button copies, or `nil` without such a button.
    let copied: String?

    /// The app's page in the App Store.
    let appStore: String?

    /// The app's page on Google Play.
    let googlePlay: String?

    /// Creates links to the stores alone.
    init(_ stores: StoreLinks, campaign: [QueryItem] = []) {
        (apple, android, copied) = (nil, nil, nil)
        banner = stores.banner
        appStore = stores.appStore
        googlePlay = stores.googlePlay(referrer: InstallReferrer.encoded(link: nil, campaign: campaign))
    }

    /// Creates the addresses for a link.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - stores: the addresses of the stores.
    ///   - fallback: the address that Android opens without the app, or `nil` for the store.
    init(_ link: PrintedLink, stores: StoreLinks, fallback: String?) {
        apple = link.custom
        let carried = link.isCarried ? link.web : nil
        let referrer = InstallReferrer.encoded(link: carried, campaign: link.campaign)
        let googlePlay = stores.googlePlay(referrer: referrer)
        android = stores.package.map { package in
            let end = (fallback ?? googlePlay).map { "S.browser_fallback_url=\(ValueEncoding.encoded($0));" } ?? ""
            let address = Substring(link.web.utf8.dropFirst("https:".utf8.count))
            return "intent:\(address)#Intent;scheme=https;package=\(package);\(end)end"
        }
        // A comma separates the arguments of the banner.
        banner = stores.banner.map { banner in
            let argument = link.web.utf8.contains(UInt8(ascii: ",")) ? link.web.replacing(",", with: "%2C") : link.web
            return "\(banner), app-argument=\(argument)"
        }
        copied = stores.copies ? carried : nil
        appStore = stores.appStore
        self.googlePlay = googlePlay
    }
}
