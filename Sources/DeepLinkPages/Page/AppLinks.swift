import DeepLinkCore

/// The addresses that lead from a page to apps and stores.
struct AppLinks {
    /// The link that opens the app on Apple's systems: of its custom scheme, since one of the same site stays in Safari.
    let apple: String?

    /// The link that opens the app on Android, in browsers that know `intent:`.
    let android: String?

    /// The app's page in the App Store.
    let appStore: String?

    /// The app's page in Google Play.
    let googlePlay: String?

    /// What Safari shows its banner from.
    let banner: String?

    /// Finds the addresses for a link, which the engine has printed; without one, only those of the stores.
    init(_ catalog: RouteCatalog, link: String?, stack: [Destination], _ demand: SignatureDemand? = nil) {
        let ios = catalog.apps.apple.first
        let storeID = ios?.storeID
        appStore = ios?.storeLink
        let package = catalog.apps.android.first?.package
        let googlePlay = catalog.apps.android.first?.storeLink
        self.googlePlay = googlePlay
        guard let link else {
            (apple, android, banner) = (nil, nil, storeID.map { "app-id=\($0)" })
            return
        }
        apple = ios?.scheme.map { Self.customLink(link, scheme: $0, stack, catalog, demand) }
        let rest = link.utf8.dropFirst("https:".utf8.count)
        android = package.map { package in
            let fallback = (catalog.site.fallback ?? googlePlay).map { ";S.browser_fallback_url=\(Self.encoded($0))" }
            return "intent:\(String(rest) ?? "")#Intent;scheme=https;package=\(package)\(fallback ?? "");end"
        }
        // A comma divides what the banner is told.
        banner = storeID.map { "app-id=\($0), app-argument=\(link.replacing(",", with: "%2C"))" }
    }

    /// The link of a custom scheme that leads to the same stack: as the catalog prints it, else with the scheme alone changed.
    private static func customLink(
        _ link: String,
        scheme: String,
        _ stack: [Destination],
        _ catalog: RouteCatalog,
        _ demand: SignatureDemand?
    ) -> String {
        if let printed = try? DeepLinkCore.link(to: stack, scheme: scheme, catalog: catalog) {
            return demand?.signing(printed) ?? printed
        }
        return scheme + (String(link.utf8.dropFirst("https".utf8.count)) ?? "")
    }

    /// Percent-encodes an address as a value.
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
