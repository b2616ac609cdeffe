/// The answer to a request, with every outcome of a well-formed link as a value.
package enum Resolution: Equatable, Sendable {
    /// The link is resolved, and the user may open it.
    case plan(RoutePlan)

    /// The link is gated: the user lacks a level or a grant.
    case denial(Denial)

    /// The link is resolved, but the requesting app is too old for it.
    case outdated(AppUpdate)

    /// The link fails.
    case failure(ResolutionError)
}

/// The denial of a whole link because the app is too old for it.
package struct AppUpdate: Equatable, Sendable {
    /// The first destination of the stack that requires the latest version.
    package let route: String

    /// The app of the request.
    package let app: AppVersion

    /// The version that the stack requires on the app's platform.
    package let requiredVersion: VersionNumber

    /// The page of the app in its platform's store, or `nil` if the catalog does not declare it.
    package let storeLink: String?

    /// The demand for a signature, or `nil` for a link that needs none.
    package let signature: SignatureDemand?
}

extension AppUpdate {
    /// Compares the parts that clients see.
    package static func == (left: AppUpdate, right: AppUpdate) -> Bool {
        left.route == right.route && left.app == right.app && left.requiredVersion == right.requiredVersion
            && left.storeLink == right.storeLink
    }
}

extension RouteCatalog {
    /// Returns the store page of the first app on a platform that declares one, or `nil` if none does.
    package func storeLink(on platform: AppVersion.Platform) -> String? {
        switch platform {
        case .ios: apps.apple.lazy.compactMap { $0.storeLink }.first
        case .android: apps.android.first?.storeLink
        }
    }
}
