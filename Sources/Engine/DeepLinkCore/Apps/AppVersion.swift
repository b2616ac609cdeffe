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
