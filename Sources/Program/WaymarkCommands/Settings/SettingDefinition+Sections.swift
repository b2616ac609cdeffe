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
            // Command lines of processes are visible to all users.
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

/// The row of the audit log's setting.
extension SettingDefinition {
    static let auditPath = SettingDefinition(
        flag: "audit-path",
        values: .text,
        valueName: "file",
        default: "stderr",
        summary: """
            The file to which the service and commands add a JSON line for each change of a user, a token, a short link or the \
            catalog; stderr: between the messages of the log, by the service alone; none: no audit log.
            """
    )
}

/// The rows of the settings of the route catalog.
extension SettingDefinition {
    static var catalog: SettingDefinition {
        SettingDefinition(
            flag: "catalog",
            values: .text,
            valueName: "file",
            default: "Config/routes.yaml",
            summary: "The route catalog."
        )
    }

    static var strictCatalog: SettingDefinition {
        SettingDefinition(
            flag: "strict-catalog",
            values: .truth,
            default: "false",
            summary: """
                Do not start where the catalog has faults. Otherwise the server starts with the last one that was in force, \
                which it keeps beside a database file, and reports the faults.
                """
        )
    }

    static var bundle: SettingDefinition {
        SettingDefinition(
            flag: "bundle",
            values: .optionalText,
            valueName: "file",
            default: "",
            summary: """
                The signed catalog for apps, as `waymark catalog bundle` writes it; its signature is beside it.
                """
        )
    }
}

/// The rows of the settings of TLS.
extension SettingDefinition {
    static var tlsCertificate: SettingDefinition {
        SettingDefinition(
            flag: "tls-certificate",
            values: .optionalText,
            valueName: "file",
            default: "",
            summary: """
                The file of the certificate for TLS, with those of its issuers after it, in PEM; none: plain text, as \
                behind a proxy. A changed file counts within three seconds.
                """
        )
    }

    static var tlsKey: SettingDefinition {
        SettingDefinition(
            flag: "tls-key",
            values: .optionalText,
            valueName: "file",
            default: "",
            summary: "The file of the certificate's private key, in PEM."
        )
    }

    static var redirectPort: SettingDefinition {
        SettingDefinition(
            flag: "redirect-port",
            values: .optionalNumber(0...65_535, "a port"),
            default: "",
            summary: "The TCP port that redirects plain HTTP to https, if there is a certificate."
        )
    }
}
