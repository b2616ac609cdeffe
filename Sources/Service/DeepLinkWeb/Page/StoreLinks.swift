import DeepLinkCore

/// The addresses and identifiers of a catalog's apps, the same on all its pages.
struct StoreLinks {
    /// The app's page in the App Store.
    let appStore: String?

    /// The app's number in the App Store.
    let appStoreID: String?

    /// The app's page on Google Play, without a referrer.
    let googlePlay: String?

    /// The identifier of the app for Android.
    let package: String?

    /// The content of Safari's app banner, without a link.
    let banner: String?

    /// Whether pages have a button that copies the link.
    let copies: Bool

    /// Finds the first app of each platform.
    init(_ catalog: RouteCatalog) {
        let ios = catalog.apps.apple.first
        appStore = ios?.storeLink
        appStoreID = ios?.storeID
        banner = ios?.storeID.map { "app-id=\($0)" }
        copies = ios?.copies ?? false
        let android = catalog.apps.android.first
        googlePlay = android?.storeLink
        package = android?.package
    }

    /// Returns the app's page on Google Play with an encoded referrer.
    func googlePlay(referrer: String?) -> String? {
        googlePlay.map { address in referrer.map { "\(address)&referrer=\($0)" } ?? address }
    }
}
