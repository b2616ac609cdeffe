/// The app versions that a destination requires, by platform: older ones do not have it.
package struct RequiredApps: Hashable, Sendable {
    /// No required version.
    package static var none: RequiredApps { RequiredApps() }

    /// The version on Apple's platforms, or `nil` for any.
    package let ios: VersionNumber?

    /// The version on Android, or `nil` for any.
    package let android: VersionNumber?

    /// Creates requirements, which accept any version by default.
    package init(ios: VersionNumber? = nil, android: VersionNumber? = nil) {
        self.ios = ios
        self.android = android
    }

    /// Whether any version of any app is accepted.
    package var isEmpty: Bool { ios == nil && android == nil }

    /// The version on a platform, or `nil` for any.
    package subscript(platform: AppVersion.Platform) -> VersionNumber? {
        switch platform {
        case .ios: ios
        case .android: android
        }
    }

    /// The platforms with a required version, and that version.
    package var versions: [(platform: AppVersion.Platform, number: VersionNumber)] {
        AppVersion.Platform.allCases.compactMap { platform in self[platform].map { (platform, $0) } }
    }

    /// Returns whether a version of an app is accepted.
    package func allow(_ app: AppVersion) -> Bool { self[app.platform].map { app.number >= $0 } ?? true }

    /// Returns the combined requirements: on each platform, the later version.
    package func merged(with other: RequiredApps) -> RequiredApps {
        RequiredApps(ios: Self.later(ios, other.ios), android: Self.later(android, other.android))
    }

    private static func later(_ one: VersionNumber?, _ other: VersionNumber?) -> VersionNumber? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }
}
