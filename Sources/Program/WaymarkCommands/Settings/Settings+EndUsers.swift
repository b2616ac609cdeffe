import DeepLinkAuthentication
import DeepLinkCore

extension Settings {
    /// Reads the settings of end users' tokens, or returns `nil` if none is given.
    ///
    /// - Throws: ``CommandError`` if the settings are incomplete, or contradict each other.
    static func endUsers(_ reader: SettingReader) throws -> EndUserSettings? {
        let interval = try reader.number(.jwtRefreshInterval)
        let issuers = SettingList.items(try reader.text(.jwtIssuer))
        let audiences = SettingList.items(try reader.text(.jwtAudience))
        let (path, url) = (try reader.text(.jwtKeys), try reader.text(.jwtJWKSURL))
        guard let given = try Setting.endUsers.first(where: { try isGiven($0, reader: reader) }) else { return nil }
        for key in [Setting.jwtIssuer, .jwtAudience] where try reader.text(key).isEmpty {
            throw reader.missing(key, beside: given, so: "end users' tokens could not be verified")
        }
        guard path.isEmpty != url.isEmpty else {
            throw CommandError.usage(
                path.isEmpty
                    ? "\(given.rawValue) is set, but no keys verify end users' tokens; set a file by "
                        + "\(reader.waysToSet(.jwtKeys)), or a URL by \(reader.waysToSet(.jwtJWKSURL))."
                    : "\(Setting.jwtKeys.rawValue) and \(Setting.jwtJWKSURL.rawValue) are both set; the keys "
                        + "of end users' tokens come from one of them."
            )
        }
        let (levels, grants) = (try endUserLevels(reader), try endUserGrants(reader))
        do throws(EndUserSettingsError) {
            return try EndUserSettings(
                issuers: issuers,
                audiences: audiences,
                source: path.isEmpty ? .url(url) : .file(path: path),
                refreshInterval: interval,
                levels: levels,
                grants: grants
            )
        } catch {
            throw CommandError.usage("\(error); set another by \(reader.waysToSet(error.setting)).")
        }
    }

    private static func isGiven(_ setting: Setting, reader: SettingReader) throws(CommandError) -> Bool {
        try reader.text(setting).bytewise != setting.definition.defaultValue.bytewise
    }
}

extension Setting {
    /// The settings of end users' tokens that have no effect without the others.
    fileprivate static let endUsers: [Setting] = [
        .jwtKeys, .jwtJWKSURL, .jwtIssuer, .jwtAudience, .jwtLevelClaim, .jwtLevels, .jwtMinimumLevel,
        .jwtGrantsClaim, .jwtGrants,
    ]
}

extension EndUserSettingsError {
    /// The setting at fault.
    fileprivate var setting: Setting {
        switch self {
        case .emptyIssuer: .jwtIssuer
        case .emptyAudience: .jwtAudience
        case .emptyPath: .jwtKeys
        case .url: .jwtJWKSURL
        case .refreshInterval: .jwtRefreshInterval
        }
    }
}
