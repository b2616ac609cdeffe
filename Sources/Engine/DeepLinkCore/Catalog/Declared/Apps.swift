/// The apps that open a catalog's links: an unnamed app, named apps, or both.
///
/// ```yaml
/// apps:
///   rider: { was: unnamed, ios: [{ appID: ABCDE12345.com.example.rider }] }
///   driver: { ios: [{ appID: ABCDE12345.com.example.driver }] }
/// ```
///
/// A route or an edge names its app (`app: driver`). A stack's app is the app of any of its destinations, because no stack
/// has two. A stack without an app is a stack of every app.
package struct Apps: Hashable, Sendable {
    /// The maximum number of named apps.
    package static let maximumCount = 16

    /// The app without a name, whose lists are empty if it isn't declared.
    package let unnamed: DeclaredApp

    /// The apps with names, in the order of the file.
    package let named: [DeclaredApp]

    /// The location of the declaration, or `nil` if the catalog has none.
    package let location: SourceLocation?

    /// The list of a catalog without apps.
    package static let none = Apps(apple: [], android: [], location: nil)

    /// Creates the list from its parts.
    package init(unnamed: DeclaredApp, named: [DeclaredApp] = [], location: SourceLocation?) {
        self.unnamed = unnamed
        self.named = named
        self.location = location
    }

    /// Creates the list of one unnamed app.
    package init(apple: [AppleApp], android: [AndroidApp], location: SourceLocation?) {
        self.init(unnamed: DeclaredApp(name: nil, apple: apple, android: android), location: location)
    }
}

extension Apps {
    /// The declared apps: the unnamed app first, if it has a platform, and then the named apps.
    package var all: [DeclaredApp] { (unnamed.isEmpty ? [] : [unnamed]) + named }

    /// The app whose stores and scheme a page shows for a stack of every app: the first declared app.
    package var first: DeclaredApp { unnamed.isEmpty ? named.first ?? unnamed : unnamed }

    /// The indexes of the named apps.
    package var indexes: [AppIndex] { named.indices.map { AppIndex($0) } }

    /// The app that requests without an app's name come from, or `nil` if they come from no app in particular: the named
    /// app that was unnamed before.
    package var formerlyUnnamed: AppIndex? { named.firstIndex { $0.wasUnnamed }.map { AppIndex($0) } }

    /// The named app of an index.
    package subscript(index: AppIndex) -> DeclaredApp { named[Int(index.place)] }

    /// Returns the index of a named app, or `nil` if there is none of this name.
    package func index(named name: String) -> AppIndex? {
        named.firstIndex { $0.name?.bytewise == name.bytewise }.map { AppIndex($0) }
    }

    /// Returns the app that a request comes from, or `nil` if it comes from no named app in particular.
    ///
    /// The name in the request, if there is one, is the name of an app of the catalog.
    package func index(of version: AppVersion) -> AppIndex? {
        guard let name = version.name else { return formerlyUnnamed }
        return index(named: name)
    }

    /// Returns the name of an app.
    package func name(of index: AppIndex) -> String { self[index].name ?? "" }

    /// Returns the app that opens a stack's links, whose stores and scheme its page shows: the first app for a stack of
    /// every app.
    package func app(of app: AppIndex?) -> DeclaredApp { app.map { self[$0] } ?? first }
}

extension RequiredApps {
    /// Returns the required versions by the keys that catalogs and plans have for them: `ios`, `android`, and then
    /// `driver.ios` for the app `driver`.
    package func versions(in apps: Apps) -> [(key: String, number: VersionNumber)] {
        AppVersion.Platform.allCases.compactMap { platform in self[platform].map { (platform.rawValue, $0) } }
            + named.map { ("\(apps.name(of: $0.app)).\($0.platform.rawValue)", $0.number) }
    }
}

/// One app as the catalog declares it, with its forms on the platforms.
package struct DeclaredApp: Hashable, Sendable {
    /// The name, `[A-Za-z][A-Za-z0-9_-]{0,63}`, or `nil` for the unnamed app.
    package let name: String?

    /// Whether the app was the unnamed app before, so that a request without a name comes from it (`was: unnamed`).
    package let wasUnnamed: Bool

    /// The apps for Apple's platforms, in the order of the file.
    package let apple: [AppleApp]

    /// The Android apps, in the order of the file.
    package let android: [AndroidApp]

    /// The location of a named app's declaration.
    package let location: SourceLocation?

    /// Creates an app from its parts.
    package init(
        name: String?,
        wasUnnamed: Bool = false,
        apple: [AppleApp],
        android: [AndroidApp],
        location: SourceLocation? = nil
    ) {
        self.name = name
        self.wasUnnamed = wasUnnamed
        self.apple = apple
        self.android = android
        self.location = location
    }

    /// Whether the app has no form on any platform.
    package var isEmpty: Bool { apple.isEmpty && android.isEmpty }

    /// Returns the app's page in a platform's store, or `nil` if it has none.
    package func storeLink(on platform: AppVersion.Platform) -> String? {
        switch platform {
        case .ios: apple.lazy.compactMap { $0.storeLink }.first
        case .android: android.first?.storeLink
        }
    }

    /// Returns whether a text is the name of an app.
    package static func isName(_ text: String) -> Bool { AppIndex.accepts(name: text.utf8) }

    /// Compares the parts byte by byte.
    package static func == (left: DeclaredApp, right: DeclaredApp) -> Bool {
        left.name?.bytewise == right.name?.bytewise && left.wasUnnamed == right.wasUnnamed && left.apple == right.apple
            && left.android == right.android
    }

    /// Hashes the name.
    package func hash(into hasher: inout Hasher) { hasher.combine(name?.bytewise) }
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

    /// Whether the app shares passwords and passkeys with the hosts of the links, and is called back by their https links.
    package let sharesCredentials: Bool

    /// The application identifier of the app's clip, or `nil` if it has none: ``appID``, a dot, and one more part.
    package let clip: String?

    /// The bundle identifier of the app's clip: its application identifier without the team's prefix.
    package var clipBundleID: String? {
        clip.map { clip in String(Substring(clip.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst())) }
    }

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
        copies: Bool = false,
        sharesCredentials: Bool = false,
        clip: String? = nil
    ) {
        self.appID = appID
        self.storeID = storeID
        self.scheme = scheme
        self.storeQuery = storeQuery
        self.copies = copies
        self.sharesCredentials = sharesCredentials
        self.clip = clip
    }
}

extension AppleApp {
    /// Compares the parts byte by byte.
    package static func == (left: AppleApp, right: AppleApp) -> Bool {
        left.appID.bytewise == right.appID.bytewise && left.storeID?.bytewise == right.storeID?.bytewise
            && left.scheme?.bytewise == right.scheme?.bytewise && left.storeQuery == right.storeQuery
            && left.copies == right.copies && left.sharesCredentials == right.sharesCredentials
            && left.clip?.bytewise == right.clip?.bytewise
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

    /// Whether the app shares passwords and passkeys with the hosts of the links.
    package let sharesCredentials: Bool

    /// The page of the app on Google Play.
    package var storeLink: String {
        QueryItem.appending(storeQuery, to: "https://play.google.com/store/apps/details?id=\(package)")
    }

    /// Creates an app from its parts.
    package init(
        package: String,
        fingerprints: [String],
        storeQuery: [QueryItem] = [],
        sharesCredentials: Bool = false
    ) {
        self.package = package
        self.fingerprints = fingerprints
        self.storeQuery = storeQuery
        self.sharesCredentials = sharesCredentials
    }

    /// Compares the parts byte by byte.
    package static func == (left: AndroidApp, right: AndroidApp) -> Bool {
        left.package.bytewise == right.package.bytewise
            && left.fingerprints.map { $0.bytewise } == right.fingerprints.map { $0.bytewise }
            && left.storeQuery == right.storeQuery && left.sharesCredentials == right.sharesCredentials
    }

    /// Hashes the identifier.
    package func hash(into hasher: inout Hasher) { hasher.combine(package.bytewise) }
}
