/// The refusal of a link as a whole to an app that is too old for it.
public struct AppUpdate: Equatable, Sendable {
    /// The first destination of the stack that takes the latest version.
    public let route: String

    /// The app that asks.
    public let app: AppVersion

    /// The version that the stack takes on the app's platform.
    public let requiredVersion: VersionNumber

    /// The page of the app in its platform's store; `nil` where the catalog does not say which it is.
    public let storeLink: String?
}

extension RouteCatalog {
    /// The page of the first app of a platform that says where it is in the store; `nil` where none does.
    public func storeLink(on platform: AppVersion.Platform) -> String? {
        switch platform {
        case .ios: apps.apple.lazy.compactMap(\.storeLink).first
        case .android: apps.android.first?.storeLink
        }
    }
}
