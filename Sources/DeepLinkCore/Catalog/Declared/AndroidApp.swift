/// An app of Android that opens a catalog's links.
public struct AndroidApp: Hashable, Sendable {
    /// The application identifier.
    public let package: String

    /// The SHA-256 fingerprints of the certificates that the app may be signed with: 32 bytes in hexadecimal digits, with
    /// colons between them.
    public let fingerprints: [String]

    /// The page of the app on Google Play.
    public var storeLink: String { "https://play.google.com/store/apps/details?id=\(package)" }

    /// Creates an app from its parts.
    public init(package: String, fingerprints: [String]) {
        self.package = package
        self.fingerprints = fingerprints
    }

    /// Compares the parts byte by byte.
    public static func == (left: AndroidApp, right: AndroidApp) -> Bool {
        left.package.bytewise == right.package.bytewise
            && left.fingerprints.map(\.bytewise) == right.fingerprints.map(\.bytewise)
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(package.bytewise) }
}
