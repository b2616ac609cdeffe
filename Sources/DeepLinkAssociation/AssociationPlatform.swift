/// A platform whose phones ask a file which links an app opens.
package enum AssociationPlatform: String, CaseIterable, Sendable {
    /// Apple's, with its `apple-app-site-association`.
    case ios

    /// Android, with its `assetlinks.json`.
    case android
}
