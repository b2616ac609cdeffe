import DeepLinkCore

/// A change of the app version that a place requires on one platform.
struct AppVersionChange {
    /// The kind of change: the required version is raised or lowered.
    let rule: ChangeRule

    /// The old requirement, as `ios/3.2`; `nil` for any version.
    let old: ByteText?

    /// The new requirement; `nil` for any version.
    let new: ByteText?

    /// Returns the platforms whose requirements differ.
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
