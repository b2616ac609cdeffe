import DeepLinkCore

/// The addresses and identifiers of a catalog's apps, the same on all its pages.
struct StoreLinks {
    /// The app's page in the App Store.
    let appStore: String?

    /// The app's page in Google Play.
    let googlePlay: String?

    /// The content of Safari's app banner, without a link.
    let banner: String?

    /// The end of an `intent:` link, behind its authority and path; `nil` without an app for Android.
    ///
    /// A browser without the app opens the site's fallback, or the store if there is none.
    let intent: String?

    /// Finds the first app of each platform.
    init(_ catalog: RouteCatalog) {
        let ios = catalog.apps.apple.first
        appStore = ios?.storeLink
        banner = ios?.storeID.map { "app-id=\($0)" }
        let android = catalog.apps.android.first
        googlePlay = android?.storeLink
        intent = android.map { android in
            let fallback = Self.encoded(catalog.site.fallback ?? android.storeLink)
            return "#Intent;scheme=https;package=\(android.package);S.browser_fallback_url=\(fallback);end"
        }
    }

    /// Returns an address percent-encoded as a value.
    private static func encoded(_ address: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in address.utf8 {
            if (byte | 0x20) &- 0x61 < 26 || ASCII.isDigit(byte) || "-._~".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
