import DeepLinkAuthentication
import DeepLinkCore

extension Settings {
    /// Reads the settings of levels in end users' tokens.
    ///
    /// - Throws: ``CommandError`` if claim and levels aren't given together, or a level doesn't exist.
    static func endUserLevels(_ reader: SettingReader) throws(CommandError) -> EndUserLevels {
        let minimum = try reader.value(.jwtMinimumLevel) { AuthorizationLevel(name: $0) }
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

    private static func levels(_ text: String) throws(CommandError) -> [ByteText: AuthorizationLevel] {
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
        var levels: [ByteText: AuthorizationLevel] = [:]
        for (value, name) in pairs.all {
            guard let level = AuthorizationLevel(name: name) else {
                let names = AuthorizationLevel.allCases.map(\.name).joined(separator: ", ")
                throw CommandError(
                    .usage,
                    message: "jwt.levels gives `\(value)` the level `\(name)`, which there is not; there are \(names)."
                )
            }
            levels[value.bytewise] = level
        }
        return levels
    }
}
