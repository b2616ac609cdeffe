/// An app on Apple's platforms that opens a catalog's links.
package struct AppleApp: Hashable, Sendable {
    /// The application identifier: a team's prefix, a dot, and the bundle identifier.
    package let appID: String

    /// The app's number in the App Store.
    package let storeID: String?

    /// The custom scheme that opens the app from a page of the same domain, where a universal link does not.
    package let scheme: String?

    /// The query of the app's page in the App Store.
    package let storeQuery: StoreQuery

    /// Whether pages have a button that copies the link, for the app to read after its installation.
    package let copies: Bool

    /// The page of the app in the App Store.
    package var storeLink: String? {
        storeID.map { storeQuery.appended(to: "https://apps.apple.com/app/id\($0)") }
    }

    /// Creates an app from its parts.
    package init(
        appID: String,
        storeID: String? = nil,
        scheme: String? = nil,
        storeQuery: StoreQuery = .none,
        copies: Bool = false
    ) {
        self.appID = appID
        self.storeID = storeID
        self.scheme = scheme
        self.storeQuery = storeQuery
        self.copies = copies
    }
}

extension AppleApp {
    /// Compares the parts byte by byte.
    package static func == (left: AppleApp, right: AppleApp) -> Bool {
        left.appID.bytewise == right.appID.bytewise && left.storeID?.bytewise == right.storeID?.bytewise
            && left.scheme?.bytewise == right.scheme?.bytewise && left.storeQuery == right.storeQuery
            && left.copies == right.copies
    }

    /// Hashes the identifier.
    package func hash(into hasher: inout Hasher) { hasher.combine(appID.bytewise) }
}
