import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkStorage

extension Settings {
    /// Reads the settings of logins to the console, or returns `nil` if none is given.
    ///
    /// The secret may be missing, since commands other than `serve` don't need it.
    ///
    /// - Throws: ``CommandError`` if the settings are incomplete, or one is invalid. The message doesn't repeat the
    ///   secret.
    static func login(_ reader: SettingReader) throws(CommandError) -> OpenIDSettings? {
        let needed: [Setting] = [.consoleIssuer, .consoleClientID, .consoleRoleClaim]
        var (given, missing): (Setting?, Setting?) = (nil, nil)
        for setting in needed + [.consoleRoles] {
            if try !reader.text(setting).isEmpty {
                given = given ?? setting
            } else if setting != .consoleRoles {
                missing = missing ?? setting
            }
        }
        guard let given else { return nil }
        if let missing {
            throw CommandError.usage(
                "\(given.rawValue) is set and \(missing.rawValue) is not, so nobody could log in to the console; set "
                    + "it by \(reader.waysToSet(missing))."
            )
        }
        let roles = try roles(reader)
        let (issuer, clientID) = (try reader.text(.consoleIssuer), try reader.text(.consoleClientID))
        let (secret, claim) = (try reader.text(.consoleClientSecret), try reader.text(.consoleRoleClaim))
        do throws(KeySetURLError) {
            return try OpenIDSettings(
                issuer: issuer,
                clientID: clientID,
                clientSecret: secret,
                roleClaim: claim,
                roles: roles
            )
        } catch {
            throw CommandError.usage(
                "console.oidc.issuer cannot be used: write the issuer's https URL, such as "
                    + "https://id.example/realms/staff, without user name, query or fragment; set it by "
                    + "\(reader.waysToSet(.consoleIssuer))."
            )
        }
    }

    private static func roles(_ reader: SettingReader) throws(CommandError) -> [ByteText: Role] {
        let text = try reader.text(.consoleRoles)
        let names = Person.possibleRoles.map(\.rawValue).joined(separator: ", ")
        let pairs: SettingPairs
        do throws(SettingPairs.NoPair) {
            pairs = try SettingPairs(text, dividedAt: .last)
        } catch {
            throw CommandError.usage(
                "console.oidc.roles has `\(error.text)`, which isn't a pair; write `staff=resolver,ops=admin`, or a "
                    + "mapping in \(reader.nameOfFile)."
            )
        }
        var roles: [ByteText: Role] = [:]
        for (value, name) in pairs.all {
            guard let role = Role(bytewise: name), Person.possibleRoles.contains(role) else {
                throw CommandError.usage(
                    "console.oidc.roles gives `\(value)` the role `\(name)`; people have the roles \(names)."
                )
            }
            roles[value.bytewise] = role
        }
        return roles
    }
}
