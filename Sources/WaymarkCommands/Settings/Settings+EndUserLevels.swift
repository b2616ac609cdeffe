import DeepLinkAuthentication
import DeepLinkCore

extension Settings {
    /// Reads the settings of levels in end users' tokens.
    ///
    /// - Throws: ``CommandError`` if claim and levels aren't given together, or a level doesn't exist.
    static func endUserLevels(_ reader: SettingReader) throws(CommandError) -> EndUserLevels {
        let name = try reader.value(.jwtMinimumLevel) { LevelName($0) }
        // Every user has the lowest level, by this name too.
        let minimum = name == LevelLadder.standard.name(of: .lowest) ? nil : name
        let (claim, text) = (try reader.text(.jwtLevelClaim), try reader.text(.jwtLevels))
        guard claim.isEmpty == text.isEmpty else {
            let (given, missing) =
                claim.isEmpty ? (Setting.jwtLevels, .jwtLevelClaim) : (.jwtLevelClaim, Setting.jwtLevels)
            throw CommandError(
                .usage,
                message:
                    "\(given.rawValue) is set and \(missing.rawValue) is not, so no token would have a level; set it by "
                    + "\(missing.waysToSet)."
            )
        }
        guard !claim.isEmpty else { return EndUserLevels(minimum: minimum) }
        return EndUserLevels(minimum: minimum, claim: claim, levels: try levels(text))
    }

    private static func levels(_ text: String) throws(CommandError) -> [ByteText: LevelName] {
        let pairs: SettingPairs
        do throws(SettingPairs.NoPair) {
            pairs = try SettingPairs(text, dividedAt: .last)
        } catch {
            throw CommandError(
                .usage,
                message:
                    "jwt.levels has `\(error.text)`, which isn't a pair; write `premium=premiumUser,basic=signedInUser`, or a "
                    + "mapping in the settings file."
            )
        }
        var levels: [ByteText: LevelName] = [:]
        for (value, name) in pairs.all {
            guard let level = LevelName(name) else {
                throw CommandError(
                    .usage,
                    message:
                        "jwt.levels gives `\(value)` the level `\(name)`; the name of a level is \(LevelName.form)."
                )
            }
            levels[value.bytewise] = level
        }
        return levels
    }
}

extension EndUserLevels {
    /// Requires that a catalog has the levels that the settings give tokens.
    ///
    /// - Throws: `CommandError`, naming the setting and the levels that there are.
    func check(in levels: LevelLadder) throws(CommandError) {
        if let minimum, levels.level(stored: minimum) == nil {
            throw CommandError(
                .usage,
                message: "jwt.minimumLevel is `\(minimum.text)`; set one of \(levels.list()) by "
                    + "\(Setting.jwtMinimumLevel.waysToSet)."
            )
        }
        let unknown = byValue.filter { levels.level(stored: $0.value) == nil }.min { $0.key < $1.key }
        guard let (value, name) = unknown else { return }
        throw CommandError(
            .usage,
            message: "jwt.levels gives `\(value)` the level `\(name.text)`, which there is not; there are "
                + "\(levels.list())."
        )
    }
}
