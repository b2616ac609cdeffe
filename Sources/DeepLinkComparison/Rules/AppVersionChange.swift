import DeepLinkCore

/// The version of the app that a place takes on one platform, where another catalog takes another one.
struct AppVersionChange {
    /// Whether apps that had the place are too old for it now, or some that were are not.
    let rule: ChangeRule

    /// What was taken, as `ios/3.2`; `nil` for any version.
    let old: ByteText?

    /// What is taken now.
    let new: ByteText?

    /// Lists the platforms on which two requirements differ.
    static func all(from old: RequiredApps, to new: RequiredApps) -> [AppVersionChange] {
        AppVersion.Platform.allCases.compactMap { platform in
            let (before, after) = (old[platform], new[platform])
            guard before != after else { return nil }
            let isRaised = after.map { after in before.map { $0 < after } ?? true } ?? false
            func text(_ number: VersionNumber?) -> ByteText? {
                number.map { "\(platform.rawValue)/\($0.text)".bytewise }
            }
            return AppVersionChange(
                rule: isRaised ? .appVersionRaised : .appVersionLowered,
                old: text(before),
                new: text(after)
            )
        }
    }
}
