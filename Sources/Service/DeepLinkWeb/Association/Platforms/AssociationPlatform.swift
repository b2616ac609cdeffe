/// A platform whose phones read a file that lists the links an app opens.
package enum AssociationPlatform: String, CaseIterable, Sendable {
    /// Apple's platforms, with `apple-app-site-association`.
    case ios

    /// Android, with `assetlinks.json`.
    case android
}
