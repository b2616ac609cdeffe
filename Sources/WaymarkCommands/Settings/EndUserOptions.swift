import ArgumentParser

/// Names the options that say whose tokens end users may bring.
struct EndUserOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The `iss` of end users' tokens (JWTs). Environment: WAYMARK_JWT_ISSUER.", valueName: "text")
    )
    var jwtIssuer: String?

    @Option(
        help: ArgumentHelp(
            "What the `aud` of end users' tokens must name. Environment: WAYMARK_JWT_AUDIENCE.",
            valueName: "text"
        )
    )
    var jwtAudience: String?

    @Option(
        help: ArgumentHelp(
            "The file of the keys that verify end users' tokens, a JWK Set. Environment: WAYMARK_JWT_KEYS.",
            valueName: "file"
        )
    )
    var jwtKeys: String?

    @Option(
        name: .customLong("jwt-jwks-url"),
        help: ArgumentHelp(
            "The https URL of those keys, instead of a file. Environment: WAYMARK_JWT_JWKS_URL.",
            valueName: "url"
        )
    )
    var jwtJWKSURL: String?

    @Option(
        help: ArgumentHelp(
            """
            How often those keys are read again, every 10 to 86400 seconds. Environment: \
            WAYMARK_JWT_REFRESH_INTERVAL. Default: 300.
            """,
            valueName: "seconds"
        )
    )
    var jwtRefreshInterval: String?

    /// The settings given on the command line.
    var overrides: [SettingKey: String] {
        var overrides: [SettingKey: String] = [:]
        overrides[.jwtIssuer] = jwtIssuer
        overrides[.jwtAudience] = jwtAudience
        overrides[.jwtKeys] = jwtKeys
        overrides[.jwtJWKSURL] = jwtJWKSURL
        overrides[.jwtRefreshInterval] = jwtRefreshInterval
        return overrides
    }
}
