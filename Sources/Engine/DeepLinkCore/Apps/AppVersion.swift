/// A version of an app on a platform, such as `ios/3.1.0`.
///
/// ```swift
/// let app = AppVersion("ios/3.1.0")
/// app?.platform  // .ios
/// app?.text  // "ios/3.1.0"
/// AppVersion("3.1.0")  // nil
/// ```
public struct AppVersion: Hashable, Sendable {
    /// The platform of an app.
    ///
    /// ```swift
    /// AppVersion.Platform(rawValue: "android")  // .android
    /// ```
    public enum Platform: String, CaseIterable, Sendable {
        case ios
        case android
    }

    /// The platform that the app runs on.
    public let platform: Platform

    /// The version, without any suffix.
    package let number: VersionNumber

    /// Parses `platform/number.number…`, or returns `nil` for any other text.
    ///
    /// Only the first four numbers count, and a suffix such as `-dev` or `+215` is ignored: builds have suffixes, and a
    /// catalog names released versions.
    ///
    /// ```swift
    /// AppVersion("ios/0.9.7-dev")?.text  // "ios/0.9.7"
    /// ```
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: ASCII.slash, omittingEmptySubsequences: false)
        guard parts.count == 2, let platform = Platform(bytewise: Substring(parts[0])),
            let number = VersionNumber(ofBuild: parts[1])
        else { return nil }
        self.platform = platform
        self.number = number
    }

    /// The platform and the version, without any suffix.
    public var text: String { "\(platform.rawValue)/\(number.text)" }
}

/// The platform of a visitor's device, on which a page depends.
package enum DevicePlatform: String, CaseIterable, Sendable {
    /// iPhones and iPads.
    case ios

    /// Android phones and tablets.
    case android

    /// All others, and unknown ones.
    case desktop
}

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
