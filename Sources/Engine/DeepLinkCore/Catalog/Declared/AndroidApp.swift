/// An Android app that opens a catalog's links.
package struct AndroidApp: Hashable, Sendable {
    /// The application identifier.
    package let package: String

    /// The SHA-256 fingerprints of the app's signing certificates: 32 bytes in hexadecimal digits, separated by colons.
    package let fingerprints: [String]

    /// The query of the app's page on Google Play, beside its identifier.
    package let storeQuery: StoreQuery

    /// The page of the app on Google Play.
    package var storeLink: String {
        storeQuery.appended(to: "https://play.google.com/store/apps/details?id=\(package)")
    }

    /// Creates an app from its parts.
    package init(package: String, fingerprints: [String], storeQuery: StoreQuery = .none) {
        self.package = package
        self.fingerprints = fingerprints
        self.storeQuery = storeQuery
    }

    /// Compares the parts byte by byte.
    package static func == (left: AndroidApp, right: AndroidApp) -> Bool {
        left.package.bytewise == right.package.bytewise
            && left.fingerprints.map(\.bytewise) == right.fingerprints.map(\.bytewise)
            && left.storeQuery == right.storeQuery
    }

    /// Hashes the identifier.
    package func hash(into hasher: inout Hasher) { hasher.combine(package.bytewise) }
}
