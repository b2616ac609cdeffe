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
            throw reader.missing(missing, beside: given, so: "nobody could log in to the console")
        }
        let roles = try roles(reader)
        let (issuer, clientID) = (try reader.text(.consoleIssuer), try reader.text(.consoleClientID))
        let (secret, claim) = (try reader.text(.consoleClientSecret), try reader.text(.consoleRoleClaim))
        do throws(TrustedURLError) {
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
        let names = ConsoleUser.possibleRoles.map(\.rawValue).joined(separator: ", ")
        return try reader.claimed(
            .consoleRoles,
            try reader.text(.consoleRoles),
            example: "staff=resolver,ops=admin",
            noun: "role",
            form: "people have the roles \(names)",
            read: { name in Role(bytewise: name).flatMap { ConsoleUser.possibleRoles.contains($0) ? $0 : nil } }
        )
    }
}
