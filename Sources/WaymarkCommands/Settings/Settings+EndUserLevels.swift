import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats

extension Settings {
    /// Reads what end users' tokens say of levels.
    ///
    /// - Throws: ``CommandError`` where claim and levels are not given together, or a level is none.
    static func endUserLevels(_ reader: SettingReader) throws(CommandError) -> EndUserLevels {
        let minimum = try reader.value(.jwtMinimumLevel) { AuthorizationLevel(name: $0) }
        let (claim, text) = (try reader.text(.jwtLevelClaim), try reader.text(.jwtLevels))
        guard claim.isEmpty == text.isEmpty else {
            let (given, missing) =
                claim.isEmpty ? (Setting.jwtLevels, .jwtLevelClaim) : (.jwtLevelClaim, Setting.jwtLevels)
            throw CommandError(
                .usage,
                "\(given.rawValue) is set and \(missing.rawValue) is not, so no token would have a level; set it by "
                    + "\(missing.waysToSet)."
            )
        }
        guard !claim.isEmpty else { return EndUserLevels(minimum: minimum) }
        return EndUserLevels(minimum: minimum, claim: claim, levels: try levels(text))
    }

    private static func levels(_ text: String) throws(CommandError) -> [ByteText: AuthorizationLevel] {
        var levels: [ByteText: AuthorizationLevel] = [:]
        for (value, name) in try pairs(text) {
            guard let level = AuthorizationLevel(name: name) else {
                let names = AuthorizationLevel.allCases.map(\.name).joined(separator: ", ")
                throw CommandError(
                    .usage,
                    "jwt.levels gives `\(value)` the level `\(name)`, which there is not; there are \(names)."
                )
            }
            levels[value.bytewise] = level
        }
        return levels
    }

    /// Reads pairs: the JSON object that a mapping of the settings file becomes, or `a=b,c=d`.
    private static func pairs(_ text: String) throws(CommandError) -> [(String, String)] {
        if text.utf8.first == UInt8(ascii: "{"), case .object(let object)? = try? JSONParser.parse(Array(text.utf8)) {
            return object.map { ($0.name.string, $0.value.text ?? "") }
        }
        var pairs: [(String, String)] = []
        for part in text.utf8.split(separator: UInt8(ascii: ",")) {
            guard let sign = part.lastIndex(of: UInt8(ascii: "=")) else {
                throw CommandError(
                    .usage,
                    "jwt.levels has `\(Substring(part))`, which is no pair; write `premium=premiumUser,basic=signedInUser`, or a "
                        + "mapping in the settings file."
                )
            }
            pairs.append((trimmed(part[..<sign]), trimmed(part[part.index(after: sign)...])))
        }
        return pairs
    }

    private static func trimmed(_ text: Substring.UTF8View) -> String {
        let space = UInt8(ascii: " ")
        let end = text.lastIndex { $0 != space }.map { text.index(after: $0) } ?? text.startIndex
        return String(Substring(text[..<end].drop { $0 == space }))
    }
}

extension JSONValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
