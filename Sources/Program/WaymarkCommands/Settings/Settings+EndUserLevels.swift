import DeepLinkAuthentication
package import DeepLinkCore

extension Settings {
    /// Reads the settings of levels in end users' tokens.
    ///
    /// - Throws: ``CommandError`` if claim and levels aren't given together, or a level's name is invalid.
    static func endUserLevels(_ reader: SettingReader) throws(CommandError) -> EndUserLevels {
        let name = try reader.value(.jwtMinimumLevel) { LevelName($0) }
        // All users have the lowest level, also by this name.
        let minimum = name == LevelLadder.standard.name(of: .lowest) ? nil : name
        let (claim, text) = (try reader.text(.jwtLevelClaim), try reader.text(.jwtLevels))
        guard claim.isEmpty == text.isEmpty else {
            let (given, missing) =
                claim.isEmpty ? (Setting.jwtLevels, .jwtLevelClaim) : (.jwtLevelClaim, Setting.jwtLevels)
            throw reader.missing(missing, beside: given, so: "no token would have a level")
        }
        guard !claim.isEmpty else { return EndUserLevels(minimum: minimum) }
        let levels = try reader.claimed(
            .jwtLevels,
            text,
            example: "premium=premiumUser,basic=signedInUser",
            noun: "level",
            form: "the name of a level is \(LevelName.form)",
            read: LevelName.init(_:)
        )
        return EndUserLevels(minimum: minimum, claim: claim, levels: levels)
    }

    /// Reads the settings of grants in end users' tokens.
    ///
    /// - Throws: ``CommandError`` if values are given without a claim, or a grant's name is invalid.
    static func endUserGrants(_ reader: SettingReader) throws(CommandError) -> EndUserGrants {
        let (claim, text) = (try reader.text(.jwtGrantsClaim), try reader.text(.jwtGrants))
        guard !claim.isEmpty else {
            guard text.isEmpty else {
                throw reader.missing(.jwtGrantsClaim, beside: .jwtGrants, so: "no token would have a grant")
            }
            return EndUserGrants()
        }
        guard !text.isEmpty else { return EndUserGrants(claim: claim) }
        let names = try reader.claimed(
            .jwtGrants,
            text,
            example: "plus=pro,identified=kyc",
            noun: "grant",
            form: "the name of a grant is \(LevelName.form)",
            read: GrantName.init(_:)
        )
        return EndUserGrants(claim: claim, byWord: names)
    }
}

extension EndUserLevels {
    /// Requires a catalog to have the levels that the settings assign to tokens.
    ///
    /// - Throws: `CommandError`, naming the setting, the ways to change it, and the levels of the catalog.
    func check(in levels: LevelLadder, settingsFile: String?) throws(CommandError) {
        if let minimum, levels.level(stored: minimum) == nil {
            throw CommandError.usage(
                "jwt.minimumLevel is `\(minimum.text)`; set one of \(levels.list()) by "
                    + "\(Setting.jwtMinimumLevel.waysToSet(in: settingsFile))."
            )
        }
        let unknown = byValue.filter { levels.level(stored: $0.value) == nil }.min { $0.key < $1.key }
        guard let (value, name) = unknown else { return }
        throw CommandError.usage(
            "jwt.levels gives `\(value)` the level `\(name.text)`, which there is not; there are "
                + "\(levels.list())."
        )
    }
}

extension EndUserGrants {
    /// Requires a catalog to have the grants that the settings assign to tokens.
    ///
    /// - Throws: `CommandError`, naming the setting and the grants of the catalog.
    func check(in grants: GrantList) throws(CommandError) {
        let unknown = byWord?.filter { grants.grant(named: $0.value) == nil }.min { $0.key < $1.key }
        guard let (word, name) = unknown else { return }
        throw CommandError.usage(
            "jwt.grants gives `\(word)` the grant `\(name.text)`, which there is not; "
                + (grants.isEmpty ? "the catalog has none." : "there are \(grants.list()).")
        )
    }
}

extension EndUserSettings {
    /// Requires a catalog to have the levels and grants that the settings assign to tokens.
    ///
    /// - Parameters:
    ///   - catalog: The catalog.
    ///   - settingsFile: The settings file that was read, for messages, or `nil` if there was none.
    /// - Throws: `CommandError`, naming the setting and the names that there are.
    package func check(in catalog: RouteCatalog, settingsFile: String?) throws(CommandError) {
        try levels.check(in: catalog.levels, settingsFile: settingsFile)
        try grants.check(in: catalog.grants)
    }
}
