import DeepLinkAuthentication
import DeepLinkCore

/// The rows of the settings of end users' tokens.
extension SettingDefinition {
    static var jwtIssuer: SettingDefinition {
        SettingDefinition(
            flag: "jwt-issuer",
            values: .list,
            valueName: "text,…",
            default: "",
            summary: "The `iss` of end users' tokens (JWTs); of several, any, with commas between."
        )
    }

    static var jwtAudience: SettingDefinition {
        SettingDefinition(
            flag: "jwt-audience",
            values: .list,
            valueName: "text,…",
            default: "",
            summary: "The `aud` that end users' tokens must name; of several, any, separated by commas."
        )
    }

    static var jwtKeys: SettingDefinition {
        SettingDefinition(
            flag: "jwt-keys",
            values: .optionalText,
            valueName: "file",
            default: "",
            summary: "The file of the keys that verify end users' tokens, a JWK Set."
        )
    }

    static var jwtJWKSURL: SettingDefinition {
        SettingDefinition(
            flag: "jwt-jwks-url",
            values: .optionalText,
            valueName: "url",
            default: "",
            summary: "The https URL of those keys, instead of a file."
        )
    }

    static var jwtRefreshInterval: SettingDefinition {
        SettingDefinition(
            flag: "jwt-refresh-interval",
            values: .number(EndUserSettings.refreshIntervals, "a number of seconds"),
            valueName: "seconds",
            default: "300",
            summary: "The interval at which those keys are read again, in seconds."
        )
    }

    static var jwtMinimumLevel: SettingDefinition {
        SettingDefinition(
            flag: "jwt-minimum-level",
            values: .text,
            valueName: "level",
            default: LevelLadder.standard.text(of: .lowest),
            summary: "The level that every end user with a valid token has at least, independent of the stored one."
        )
    }

    static var jwtLevelClaim: SettingDefinition {
        SettingDefinition(
            flag: "jwt-level-claim",
            values: .optionalText,
            valueName: "claim",
            default: "",
            summary: """
                The claim of end users' tokens that says their level, by the values in jwt.levels; behind a dot, the \
                member of an object.
                """
        )
    }

    static var jwtLevels: SettingDefinition {
        SettingDefinition(
            flag: "jwt-levels",
            values: .pairs,
            valueName: "value=level,…",
            default: "",
            summary:
                "The level that each value of that claim gives; of several the highest counts, and of the stored one."
        )
    }

    static var jwtGrantsClaim: SettingDefinition {
        SettingDefinition(
            flag: "jwt-grants-claim",
            values: .optionalText,
            valueName: "claim",
            default: "",
            summary: """
                The claim of end users' tokens that lists their grants, by name or by the words in jwt.grants; behind a dot, \
                the member of an object.
                """
        )
    }

    static var jwtGrants: SettingDefinition {
        SettingDefinition(
            flag: "jwt-grants",
            values: .pairs,
            valueName: "word=grant,…",
            default: "",
            summary: "The grant that each word of that claim gives; without any, the claim has the names of grants."
        )
    }
}
