import DeepLinkCore

/// The addresses on a page that open apps and stores.
struct AppLinks {
    /// The link that opens the app on Apple's systems: it has a custom scheme, because a link to the same site stays in
    /// Safari.
    let apple: String?

    /// The link that opens the app on Android, in browsers that support `intent:`.
    let android: String?

    /// The content of Safari's app banner.
    let banner: String?

    /// The apps in their stores.
    let stores: StoreLinks

    /// Creates links to the stores alone.
    init(_ stores: StoreLinks) {
        self.stores = stores
        (apple, android, banner) = (nil, nil, stores.banner)
    }

    /// Creates the addresses for a link that the engine has printed.
    init(
        _ catalog: RouteCatalog,
        stores: StoreLinks,
        link: String,
        stack: [Destination],
        demand: SignatureDemand?
    ) {
        self.stores = stores
        apple = catalog.apps.apple.first?.scheme
            .map { Self.customLink(link, scheme: $0, stack: stack, in: catalog, demand: demand) }
        android = stores.intent.map { "intent:\(link.utf8.dropFirst("https:".utf8.count).asText)\($0)" }
        // A comma separates the arguments of the banner.
        banner = stores.banner.map { banner in
            let argument = link.utf8.contains(UInt8(ascii: ",")) ? link.replacing(",", with: "%2C") : link
            return "\(banner), app-argument=\(argument)"
        }
    }

    /// Returns the link of a custom scheme to the same stack: printed by the catalog, otherwise with only the scheme
    /// changed.
    private static func customLink(
        _ link: String,
        scheme: String,
        stack: [Destination],
        in catalog: RouteCatalog,
        demand: SignatureDemand?
    ) -> String {
        if let printed = try? DeepLinkCore.link(to: stack, scheme: scheme, catalog: catalog) {
            return demand?.signing(printed) ?? printed
        }
        return scheme + link.utf8.dropFirst("https".utf8.count).asText
    }
}

extension Substring.UTF8View {
    /// The bytes as a text.
    fileprivate var asText: String { String(Substring(self)) }
}
