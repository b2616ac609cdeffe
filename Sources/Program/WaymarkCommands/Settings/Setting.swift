import DeepLinkAuthentication
import DeepLinkCore
import Logging

/// A setting, identified by its key in the settings file.
///
/// Its other properties are in two tables, ``definition`` and ``summary``. Flags, environment variables, help texts and
/// messages are generated from them, and a test compares `Config/service.yaml` and the page of settings with them.
package enum Setting: String, CaseIterable {
    case host = "http.host"
    case port = "http.port"
    case maximumConnections = "http.maximumConnections"
    case maximumRequests = "http.maximumRequests"
    case maximumArrivingMegabytes = "http.maximumArrivingMegabytes"
    case tlsCertificate = "http.tls.certificate"
    case tlsKey = "http.tls.key"
    case redirectPort = "http.redirectPort"
    case catalog
    case strictCatalog
    case bundle
    case database
    case maximumCachedUsers = "cache.maximumUsers"
    case maximumStaleness = "store.maximumStaleness"
    case staleIfError = "store.staleIfError"
    case backupBeforeUpgrade = "store.backupBeforeUpgrade"
    case maximumHistoryCount = "history.maximumCount"
    case maximumHistoryAge = "history.maximumAge"
    case insecureNoAuth
    case anonymous
    case perCallerLimit = "limits.perCaller"
    case pageLimit = "limits.pages"
    case shortLinksPerUser = "shortLinks.perUser"
    case crossOrigins = "cors.origins"
    case consoleDisabled = "console.disabled"
    case consoleHosts = "console.hosts"
    case consoleIssuer = "console.oidc.issuer"
    case consoleClientID = "console.oidc.clientID"
    case consoleClientSecret = "console.oidc.clientSecret"
    case consoleRoleClaim = "console.oidc.roleClaim"
    case consoleRoles = "console.oidc.roles"
    case continuationLifetime = "continuation.lifetime"
    case continuationKey = "continuation.key"
    case signingKeys = "signing.keys"
    case signingSecrets = "signing.secrets"
    case jwtIssuer = "jwt.issuer"
    case jwtAudience = "jwt.audience"
    case jwtKeys = "jwt.keys"
    case jwtJWKSURL = "jwt.jwksURL"
    case jwtRefreshInterval = "jwt.refreshInterval"
    case jwtMinimumLevel = "jwt.minimumLevel"
    case jwtLevelClaim = "jwt.levelClaim"
    case jwtLevels = "jwt.levels"
    case jwtGrantsClaim = "jwt.grantsClaim"
    case jwtGrants = "jwt.grants"
    case drainSeconds = "drain.seconds"
    case logLevel = "log.level"
    case logFormat = "log.format"
    case logRequests = "log.requests"
    case logProbes = "log.probes"
    case resolutionLogPath = "resolutionLog.path"
    case resolutionLogMegabytes = "resolutionLog.maximumMegabytes"
    case auditPath = "audit.path"

    /// The row of the setting in the table of all settings.
    ///
    /// Secrets have no flag, since command lines of processes are visible to all users.
    var definition: SettingDefinition {
        switch self {
        case .host: .init(flag: "host", .text, default: "127.0.0.1")
        case .port: .init(flag: "port", .number(0...65_535, "a port"), default: "8080")
        case .maximumConnections: .init(flag: "maximum-connections", count: 1...100_000, default: "10000")
        case .maximumRequests: .init(flag: "maximum-requests", count: 1...100_000, default: "1024")
        case .maximumArrivingMegabytes: .init(flag: "maximum-arriving-megabytes", megabytes: 1...65_536, default: "64")
        case .tlsCertificate: .init(flag: "tls-certificate", .optionalText, of: "file")
        case .tlsKey: .init(flag: "tls-key", .optionalText, of: "file")
        case .redirectPort: .init(flag: "redirect-port", .optionalNumber(0...65_535, "a port"))
        case .catalog: .init(flag: "catalog", .text, of: "file", default: "Config/routes.yaml")
        case .strictCatalog: .init(flag: "strict-catalog", .truth, default: "false")
        case .bundle: .init(flag: "bundle", .optionalText, of: "file")
        case .database: .init(flag: "database", .text, of: "file or URI", default: "var/waymark.sqlite")
        case .maximumCachedUsers: .init(flag: "maximum-cached-users", count: 0...10_000_000, default: "100000")
        case .maximumStaleness: .init(flag: "maximum-staleness", seconds: 1...60, default: "1")
        case .staleIfError: .init(flag: "stale-if-error", seconds: 0...86_400, default: "0")
        case .backupBeforeUpgrade: .init(flag: "backup-before-upgrade", .truth, default: "false")
        case .maximumHistoryCount: .init(flag: "maximum-history-count", count: 1...1_000_000, default: "1000")
        case .maximumHistoryAge:
            .init(flag: "maximum-history-age", .number(0...36_500, "a number of days"), of: "days", default: "0")
        case .insecureNoAuth: .init(flag: "insecure-no-auth", .truth, default: "false")
        case .anonymous: .init(flag: "anonymous", .choice(["resolve", "none"]), of: "what", default: "none")
        case .perCallerLimit:
            .init(flag: "limit-per-caller", .optionalNumber(0...100_000, "a number of requests"), of: "count")
        case .pageLimit: .init(flag: "limit-pages", count: 0...100_000, of: "pages", default: "200")
        case .shortLinksPerUser:
            .init(flag: "short-links-per-user", count: 0...100_000, of: "short links", default: "0")
        case .crossOrigins: .init(flag: "cors-origins", .list, of: "origins")
        case .consoleDisabled: .init(flag: "no-console", .truth, default: "false")
        case .consoleHosts: .init(flag: "console-hosts", .list, of: "hosts")
        case .consoleIssuer: .init(flag: "console-oidc-issuer", .optionalText, of: "url")
        case .consoleClientID: .init(flag: "console-oidc-client-id", .optionalText, of: "text")
        case .consoleClientSecret: .init(flag: nil, .optionalText)
        case .consoleRoleClaim: .init(flag: "console-oidc-role-claim", .optionalText, of: "claim")
        case .consoleRoles: .init(flag: "console-oidc-roles", .pairs, of: "value=role,…")
        case .continuationLifetime: .init(flag: "continuation-lifetime", seconds: 1...86_400, default: "600")
        case .continuationKey: .init(flag: nil, .list)
        case .signingKeys: .init(flag: "signing-keys", .optionalText, of: "file")
        case .signingSecrets: .init(flag: nil, .pairs)
        case .jwtIssuer: .init(flag: "jwt-issuer", .list, of: "text,…")
        case .jwtAudience: .init(flag: "jwt-audience", .list, of: "text,…")
        case .jwtKeys: .init(flag: "jwt-keys", .optionalText, of: "file")
        case .jwtJWKSURL: .init(flag: "jwt-jwks-url", .optionalText, of: "url")
        case .jwtRefreshInterval:
            .init(flag: "jwt-refresh-interval", seconds: EndUserSettings.refreshIntervals, default: "300")
        case .jwtMinimumLevel:
            .init(flag: "jwt-minimum-level", .text, of: "level", default: LevelLadder.standard.text(of: .lowest))
        case .jwtLevelClaim: .init(flag: "jwt-level-claim", .optionalText, of: "claim")
        case .jwtLevels: .init(flag: "jwt-levels", .pairs, of: "value=level,…")
        case .jwtGrantsClaim: .init(flag: "jwt-grants-claim", .optionalText, of: "claim")
        case .jwtGrants: .init(flag: "jwt-grants", .pairs, of: "word=grant,…")
        case .drainSeconds: .init(flag: "drain-seconds", seconds: 0...600, default: "5")
        case .logLevel:
            .init(flag: "log-level", .choice(Logger.Level.allCases.map(\.rawValue)), of: "level", default: "info")
        case .logFormat:
            .init(flag: "log-format", .choice(LogFormat.allCases.map(\.rawValue)), of: "format", default: "text")
        case .logRequests: .init(flag: "log-requests", .optionalTruth)
        case .logProbes: .init(flag: "log-probes", .choice(["true", "false"]), default: "true")
        case .resolutionLogPath: .init(flag: "resolution-log-path", .optionalText, of: "file")
        case .resolutionLogMegabytes:
            .init(flag: "resolution-log-maximum-megabytes", megabytes: 1...1_000_000, default: "256")
        case .auditPath: .init(flag: "audit-path", .text, of: "file", default: "stderr")
        }
    }
}
