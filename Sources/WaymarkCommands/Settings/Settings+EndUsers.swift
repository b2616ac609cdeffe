import DeepLinkAuthentication

extension Settings {
    /// Reads whose tokens end users may bring; `nil` where no setting of it is given.
    ///
    /// - Throws: ``CommandError`` where the settings are given in part, or do not fit together.
    static func endUsers(_ reader: SettingReader) throws -> EndUserSettings? {
        let interval = try reader.number(.jwtRefreshInterval)
        let (issuer, audience) = (try reader.text(.jwtIssuer), try reader.text(.jwtAudience))
        let (path, url) = (try reader.text(.jwtKeys), try reader.text(.jwtJWKSURL))
        guard let given = try Setting.endUsers.first(where: { try !reader.text($0).isEmpty }) else { return nil }
        for key in [Setting.jwtIssuer, .jwtAudience] where try reader.text(key).isEmpty {
            throw CommandError(
                .usage,
                "\(given.rawValue) is set and \(key.rawValue) is not, so end users' tokens could not be verified; "
                    + "set it by \(key.waysToSet)."
            )
        }
        guard path.isEmpty != url.isEmpty else {
            throw CommandError(
                .usage,
                path.isEmpty
                    ? "\(given.rawValue) is set, and there are no keys that verify end users' tokens; set a file by "
                        + "\(Setting.jwtKeys.waysToSet), or a URL by \(Setting.jwtJWKSURL.waysToSet)."
                    : "\(Setting.jwtKeys.rawValue) and \(Setting.jwtJWKSURL.rawValue) are both set; the keys "
                        + "of end users' tokens come from one of them."
            )
        }
        do throws(EndUserSettingsError) {
            return try EndUserSettings(
                issuer: issuer,
                audience: audience,
                source: path.isEmpty ? .url(url) : .file(path: path),
                refreshInterval: interval
            )
        } catch {
            throw CommandError(.usage, "\(error); set another by \(error.setting.waysToSet).")
        }
    }
}

extension Setting {
    /// The settings of end users' tokens that have no default.
    fileprivate static let endUsers: [Setting] = [.jwtKeys, .jwtJWKSURL, .jwtIssuer, .jwtAudience]
}

extension EndUserSettingsError {
    /// The setting that is at fault.
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
