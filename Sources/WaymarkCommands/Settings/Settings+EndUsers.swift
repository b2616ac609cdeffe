import Configuration
import DeepLinkAuthentication

extension Settings {
    /// Reads whose tokens end users may bring; `nil` where no setting of it is given.
    ///
    /// - Throws: ``CommandError`` where the settings are given in part, or do not fit together.
    static func endUsers(_ reader: ConfigReader) throws -> EndUserSettings? {
        let interval = try parse(.jwtRefreshInterval, reader, "a number of seconds from 10 to 86400") {
            Int($0).flatMap { EndUserSettings.refreshIntervals.contains($0) ? $0 : nil }
        }
        let text = { (key: SettingKey) in try parse(key, reader, "a text") { $0 } }
        let (issuer, audience) = (try text(.jwtIssuer), try text(.jwtAudience))
        let (path, url) = (try text(.jwtKeys), try text(.jwtJWKSURL))
        guard let given = try SettingKey.endUsers.first(where: { try !text($0).isEmpty }) else { return nil }
        for key in [SettingKey.jwtIssuer, .jwtAudience] where try text(key).isEmpty {
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
                        + "\(SettingKey.jwtKeys.waysToSet), or a URL by \(SettingKey.jwtJWKSURL.waysToSet)."
                    : "\(SettingKey.jwtKeys.rawValue) and \(SettingKey.jwtJWKSURL.rawValue) are both set; the keys "
                        + "of end users' tokens come from one of them."
            )
        }
        do throws(EndUserSettingsFault) {
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

extension SettingKey {
    /// The settings of end users' tokens that have no default.
    fileprivate static let endUsers: [SettingKey] = [.jwtKeys, .jwtJWKSURL, .jwtIssuer, .jwtAudience]
}

extension EndUserSettingsFault {
    /// The setting that is at fault.
    fileprivate var setting: SettingKey {
        switch self {
        case .emptyIssuer: .jwtIssuer
        case .emptyAudience: .jwtAudience
        case .emptyPath: .jwtKeys
        case .url: .jwtJWKSURL
        case .refreshInterval: .jwtRefreshInterval
        }
    }
}
