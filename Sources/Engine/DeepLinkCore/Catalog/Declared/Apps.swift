/// The apps that open a catalog's links, by platform.
package struct Apps: Hashable, Sendable {
    /// The apps for Apple's platforms, in the order of the file.
    package let apple: [AppleApp]

    /// The Android apps, in the order of the file.
    package let android: [AndroidApp]

    /// The location of the declaration, or `nil` if the catalog has none.
    package let location: SourceLocation?

    /// The list of a catalog without apps.
    package static let none = Apps(apple: [], android: [], location: nil)

    /// Creates the list from its parts.
    package init(apple: [AppleApp], android: [AndroidApp], location: SourceLocation?) {
        self.apple = apple
        self.android = android
        self.location = location
    }
}

/// An app on Apple's platforms that opens a catalog's links.
package struct AppleApp: Hashable, Sendable {
    /// The application identifier: a team's prefix, a dot, and the bundle identifier.
    package let appID: String

    /// The app's number in the App Store.
    package let storeID: String?

    /// The custom scheme that opens the app from a page of the same domain, where a universal link cannot.
    package let scheme: String?

    /// The query of the app's page in the App Store, such as the tokens of a campaign, in the order of the file.
    package let storeQuery: [QueryItem]

    /// Whether pages have a button that copies the link, which the app reads after its installation.
    package let copies: Bool

    /// The page of the app in the App Store.
    package var storeLink: String? {
        storeID.map { QueryItem.appending(storeQuery, to: "https://apps.apple.com/app/id\($0)") }
    }

    /// Creates an app from its parts.
    package init(
        appID: String,
        storeID: String? = nil,
        scheme: String? = nil,
        storeQuery: [QueryItem] = [],
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

/// An Android app that opens a catalog's links.
package struct AndroidApp: Hashable, Sendable {
    /// The application identifier.
    package let package: String

    /// The SHA-256 fingerprints of the app's signing certificates: 32 bytes in hexadecimal digits, separated by colons.
    package let fingerprints: [String]

    /// The query of the app's page on Google Play, beside its identifier.
    package let storeQuery: [QueryItem]

    /// The page of the app on Google Play.
    package var storeLink: String {
        QueryItem.appending(storeQuery, to: "https://play.google.com/store/apps/details?id=\(package)")
    }

    /// Creates an app from its parts.
    package init(package: String, fingerprints: [String], storeQuery: [QueryItem] = []) {
        self.package = package
        self.fingerprints = fingerprints
        self.storeQuery = storeQuery
    }

    /// Compares the parts byte by byte.
    package static func == (left: AndroidApp, right: AndroidApp) -> Bool {
        left.package.bytewise == right.package.bytewise
            && left.fingerprints.map { $0.bytewise } == right.fingerprints.map { $0.bytewise }
            && left.storeQuery == right.storeQuery
    }

    /// Hashes the identifier.
    package func hash(into hasher: inout Hasher) { hasher.combine(package.bytewise) }
}
