/// The version of the app that a place takes, by platform: older ones do not have it.
public struct RequiredApps: Hashable, Sendable {
    /// No version in particular.
    public static var none: RequiredApps { RequiredApps() }

    /// The version on Apple's platforms; `nil` where any will do.
    public let ios: VersionNumber?

    /// The version on Android; `nil` where any will do.
    public let android: VersionNumber?

    /// Creates requirements; by default, any version will do.
    public init(ios: VersionNumber? = nil, android: VersionNumber? = nil) {
        self.ios = ios
        self.android = android
    }

    /// Whether any version of any app will do.
    public var isEmpty: Bool { ios == nil && android == nil }

    /// The version on a platform; `nil` where any will do.
    public subscript(platform: AppVersion.Platform) -> VersionNumber? {
        switch platform {
        case .ios: ios
        case .android: android
        }
    }

    /// The platforms on which not every version will do, with the one that does.
    public var versions: [(platform: AppVersion.Platform, number: VersionNumber)] {
        AppVersion.Platform.allCases.compactMap { platform in self[platform].map { (platform, $0) } }
    }

    /// Returns whether a version of an app will do.
    public func allow(_ app: AppVersion) -> Bool { self[app.platform].map { app.number >= $0 } ?? true }

    /// Returns what fulfils these and others: on each platform, the later version.
    public func merged(with other: RequiredApps) -> RequiredApps {
        RequiredApps(ios: Self.later(ios, other.ios), android: Self.later(android, other.android))
    }

    private static func later(_ one: VersionNumber?, _ other: VersionNumber?) -> VersionNumber? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }
}
