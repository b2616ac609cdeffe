/// An app on Apple's platforms that opens a catalog's links.
package struct AppleApp: Hashable, Sendable {
    /// The application identifier: a team's prefix, a dot, and the bundle identifier.
    package let appID: String

    /// The app's number in the App Store.
    package let storeID: String?

    /// The custom scheme that opens the app from a page of the same domain, where a universal link does not.
    package let scheme: String?

    /// The page of the app in the App Store.
    package var storeLink: String? { storeID.map { "https://apps.apple.com/app/id\($0)" } }

    /// Creates an app from its parts.
    package init(appID: String, storeID: String? = nil, scheme: String? = nil) {
        self.appID = appID
        self.storeID = storeID
        self.scheme = scheme
    }
}

extension AppleApp {
    /// Compares the parts byte by byte.
    package static func == (left: AppleApp, right: AppleApp) -> Bool {
        left.appID.bytewise == right.appID.bytewise && left.storeID?.bytewise == right.storeID?.bytewise
            && left.scheme?.bytewise == right.scheme?.bytewise
    }

    /// Hashes the identifier.
    package func hash(into hasher: inout Hasher) { hasher.combine(appID.bytewise) }
}
