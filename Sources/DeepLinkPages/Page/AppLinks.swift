import DeepLinkCore

/// The addresses that lead from a page to apps and stores.
struct AppLinks {
    /// The link that opens the app on Apple's systems: of its custom scheme, since one of the same site stays in Safari.
    let apple: String?

    /// The link that opens the app on Android, in browsers that know `intent:`.
    let android: String?

    /// What Safari shows its banner from.
    let banner: String?

    /// The apps in their stores.
    let stores: StoreLinks

    /// Leads to the stores alone.
    init(_ stores: StoreLinks) {
        self.stores = stores
        (apple, android, banner) = (nil, nil, stores.banner)
    }

    /// Finds the addresses for a link, which the engine has printed.
    init(
        _ catalog: RouteCatalog,
        _ stores: StoreLinks,
        link: String,
        stack: [Destination],
        _ demand: SignatureDemand?
    ) {
        self.stores = stores
        apple = catalog.apps.apple.first?.scheme.map { Self.customLink(link, scheme: $0, stack, catalog, demand) }
        android = stores.intent.map { "intent:\(link.utf8.dropFirst("https:".utf8.count).asText)\($0)" }
        // A comma divides what the banner is told.
        banner = stores.banner.map { banner in
            let argument = link.utf8.contains(UInt8(ascii: ",")) ? link.replacing(",", with: "%2C") : link
            return "\(banner), app-argument=\(argument)"
        }
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
        return scheme + link.utf8.dropFirst("https".utf8.count).asText
    }
}

extension Substring.UTF8View {
    /// The same bytes as a text.
    fileprivate var asText: String { String(Substring(self)) }
}
