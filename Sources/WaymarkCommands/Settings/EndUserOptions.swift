import ArgumentParser

/// Names the options that say whose tokens end users may bring.
struct EndUserOptions: ParsableArguments {
    @Option(help: "The `iss` of end users' tokens (JWTs). Environment: WAYMARK_JWT_ISSUER.")
    var jwtIssuer: String?

    @Option(help: "What `aud` of end users' tokens must name. Environment: WAYMARK_JWT_AUDIENCE.")
    var jwtAudience: String?

    @Option(help: "The JWK Set file of the keys that verify them. Environment: WAYMARK_JWT_KEYS.")
    var jwtKeys: String?

    @Option(
        name: .customLong("jwt-jwks-url"),
        help: "The https URL of a JWK Set, instead of a file. Environment: WAYMARK_JWT_JWKS_URL."
    )
    var jwtJWKSURL: String?

    @Option(
        help: "How often, in seconds, the keys are read again. Environment: WAYMARK_JWT_REFRESH_INTERVAL. Default: 300."
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
