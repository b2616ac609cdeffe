/// The rows of the settings of logins to the console.
extension SettingDefinition {
    static var consoleIssuer: SettingDefinition {
        SettingDefinition(
            flag: "console-oidc-issuer",
            values: .optionalText,
            valueName: "url",
            default: "",
            summary: "The OpenID Connect provider by which people log in to the console, by its issuer's https URL."
        )
    }

    static var consoleClientID: SettingDefinition {
        SettingDefinition(
            flag: "console-oidc-client-id",
            values: .optionalText,
            valueName: "text",
            default: "",
            summary: "The id of this service's client at that provider."
        )
    }

    static var consoleClientSecret: SettingDefinition {
        SettingDefinition(
            // Arguments of a process are visible to everyone.
            flag: nil,
            values: .optionalText,
            default: "",
            summary: "The secret of that client."
        )
    }

    static var consoleRoleClaim: SettingDefinition {
        SettingDefinition(
            flag: "console-oidc-role-claim",
            values: .optionalText,
            valueName: "claim",
            default: "",
            summary: """
                The claim of the provider's ID tokens that says a person's roles, by the values in \
                console.oidc.roles, else by name; behind a dot, the member of an object.
                """
        )
    }

    static var consoleRoles: SettingDefinition {
        SettingDefinition(
            flag: "console-oidc-roles",
            values: .pairs,
            valueName: "value=role,…",
            default: "",
            summary:
                "The role that each value of that claim gives; without any, values are the names of roles themselves."
        )
    }
}
