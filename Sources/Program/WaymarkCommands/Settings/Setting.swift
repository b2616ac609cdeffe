import DeepLinkAuthentication
import DeepLinkCore
import Logging

/// A setting, identified by its key in the settings file.
///
/// Its other properties are in one table, ``definition``. Flags, environment variables, help texts and messages are
/// generated from it, and a test compares `Config/service.yaml` and the page of settings with it.
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
    var definition: SettingDefinition {
        switch self {
        case .host:
            SettingDefinition(flag: "host", values: .text, default: "127.0.0.1", summary: "The address to listen on.")
        case .port:
            SettingDefinition(
                flag: "port",
                values: .number(0...65_535, "a port"),
                default: "8080",
                summary: "The TCP port; 0 takes any free one."
            )
        case .maximumConnections:
            SettingDefinition(
                flag: "maximum-connections",
                values: .number(1...100_000, "a number"),
                valueName: "count",
                default: "10000",
                summary: "The most connections at a time; further ones wait."
            )
        case .maximumRequests:
            SettingDefinition(
                flag: "maximum-requests",
                values: .number(1...100_000, "a number"),
                valueName: "count",
                default: "1024",
                summary: "The most requests worked on at a time; further ones get 503."
            )
        case .maximumArrivingMegabytes:
            SettingDefinition(
                flag: "maximum-arriving-megabytes",
                values: .number(1...65_536, "a number of MiB"),
                valueName: "MiB",
                default: "64",
                summary: """
                    The most MiB of requests that are kept over all connections while their rest is awaited; further \
                    ones get 503.
                    """
            )
        case .tlsCertificate: .tlsCertificate
        case .tlsKey: .tlsKey
        case .redirectPort: .redirectPort
        case .catalog: .catalog
        case .strictCatalog: .strictCatalog
        case .bundle: .bundle
        case .database:
            SettingDefinition(
                flag: "database",
                values: .text,
                valueName: "file or URI",
                default: "var/waymark.sqlite",
                summary: """
                    The location of user states and tokens: a SQLite file, or a PostgreSQL database that replicas share, as \
                    `postgres://user@host:port/name`.
                    """
            )
        case .maximumCachedUsers:
            SettingDefinition(
                flag: "maximum-cached-users",
                values: .number(0...10_000_000, "a number"),
                valueName: "count",
                default: "100000",
                summary: """
                    The most users whose level is cached; that of others is read from the file. A user takes some \
                    300 bytes with a UUID as its id.
                    """
            )
        case .maximumStaleness:
            SettingDefinition(
                flag: "maximum-staleness",
                values: .number(1...60, "a number of seconds"),
                valueName: "seconds",
                default: "1",
                summary: """
                    With PostgreSQL, the longest time for which a change of another replica may stay unseen by requests \
                    that name no version, in seconds.
                    """
            )
        case .staleIfError:
            SettingDefinition(
                flag: "stale-if-error",
                values: .number(0...86_400, "a number of seconds"),
                valueName: "seconds",
                default: "0",
                summary: """
                    With PostgreSQL, for how long beyond that links are resolved by the levels in memory while the database \
                    is out of reach, in seconds; such answers have `Warning: 110`.
                    """
            )
        case .backupBeforeUpgrade:
            SettingDefinition(
                flag: "backup-before-upgrade",
                values: .truth,
                default: "false",
                summary: """
                    Before a newer version upgrades a SQLite file, copy the file beside itself, as `.before-step-N`; needs its \
                    size of disk again. Commands obey it too.
                    """
            )
        case .maximumHistoryCount:
            SettingDefinition(
                flag: "maximum-history-count",
                values: .number(1...1_000_000, "a number"),
                valueName: "count",
                default: "1000",
                summary: "The most changes of each user that the history keeps; the newest is always kept."
            )
        case .maximumHistoryAge:
            SettingDefinition(
                flag: "maximum-history-age",
                values: .number(0...36_500, "a number of days"),
                valueName: "days",
                default: "0",
                summary: """
                    The age from which on the history drops a change, when the user is next changed, in days; 0 for \
                    none.
                    """
            )
        case .insecureNoAuth:
            SettingDefinition(
                flag: "insecure-no-auth",
                values: .truth,
                default: "false",
                summary: """
                    Serve beyond loopback without any credentials: anyone who can connect may do everything. \
                    Existing credentials are still required.
                    """
            )
        case .anonymous:
            SettingDefinition(
                flag: "anonymous",
                values: .choice(["resolve", "none"]),
                valueName: "what",
                default: "none",
                summary: """
                    The rights of callers without credentials: resolve links as nobody, on the level `none`, or nothing. If \
                    they may resolve, everything else needs credentials, on loopback too.
                    """
            )
        case .perCallerLimit:
            SettingDefinition(
                flag: "limit-per-caller",
                values: .optionalNumber(0...100_000, "a number of requests"),
                valueName: "count",
                default: "",
                summary: """
                    The most requests a second of each service token, of each end user, and of each address without \
                    credentials, and the most credentials of an address that are refused; further ones get 429. 0 for any \
                    number; if nothing is set, 20 of each address, and any number of others.
                    """
            )
        case .pageLimit:
            SettingDefinition(
                flag: "limit-pages",
                values: .number(0...100_000, "a number of pages"),
                valueName: "count",
                default: "200",
                summary: """
                    The most pages and redirects of web links a second of each address; further requests get 429. 0 for any \
                    number.
                    """
            )
        case .shortLinksPerUser:
            SettingDefinition(
                flag: "short-links-per-user",
                values: .number(0...100_000, "a number of short links"),
                valueName: "count",
                default: "0",
                summary: """
                    The most short links that an end user may make in a day, of links that they may open; further ones get \
                    429. 0 for none.
                    """
            )
        case .crossOrigins:
            SettingDefinition(
                flag: "cors-origins",
                values: .list,
                valueName: "origins",
                default: "",
                summary: """
                    The origins, such as `https://app.example.com`, separated by commas, whose pages may send requests and \
                    read answers; `*` lets all do what callers without credentials may.
                    """
            )
        case .consoleDisabled:
            SettingDefinition(
                flag: "no-console",
                values: .truth,
                default: "false",
                summary: "Serve no console at `/console`."
            )
        case .consoleHosts:
            SettingDefinition(
                flag: "console-hosts",
                values: .list,
                valueName: "hosts",
                default: "",
                summary: """
                    The hosts of https origins of the catalog, separated by commas, by which the console is answered too; \
                    all other hosts have it.
                    """
            )
        case .consoleIssuer: .consoleIssuer
        case .consoleClientID: .consoleClientID
        case .consoleClientSecret: .consoleClientSecret
        case .consoleRoleClaim: .consoleRoleClaim
        case .consoleRoles: .consoleRoles
        case .continuationLifetime:
            SettingDefinition(
                flag: "continuation-lifetime",
                values: .number(1...86_400, "a number of seconds"),
                valueName: "seconds",
                default: "600",
                summary: "The time for which a gated link may be resolved again with its continuation, in seconds."
            )
        case .continuationKey:
            SettingDefinition(
                // Command lines of processes are visible to all users.
                flag: nil,
                values: .list,
                default: "",
                summary: """
                    The key that signs continuations: \(CodeKey.minimumByteCount) bytes or more in \
                    base64; of several, with commas between, the first signs, and all verify.
                    """
            )
        case .signingKeys:
            SettingDefinition(
                flag: "signing-keys",
                values: .optionalText,
                valueName: "file",
                default: "",
                summary: """
                    The file of the keys that sign links, in JSON; the first signs, and all verify. A changed file counts \
                    within two seconds.
                    """
            )
        case .signingSecrets:
            SettingDefinition(
                // Command lines of processes are visible to all users.
                flag: nil,
                values: .pairs,
                default: "",
                summary: """
                    The keys that sign links, instead of a file: the id of each and its secret in base64; the first signs, \
                    and all verify.
                    """
            )
        case .jwtIssuer: .jwtIssuer
        case .jwtAudience: .jwtAudience
        case .jwtKeys: .jwtKeys
        case .jwtJWKSURL: .jwtJWKSURL
        case .jwtRefreshInterval: .jwtRefreshInterval
        case .jwtMinimumLevel: .jwtMinimumLevel
        case .jwtLevelClaim: .jwtLevelClaim
        case .jwtLevels: .jwtLevels
        case .jwtGrantsClaim: .jwtGrantsClaim
        case .jwtGrants: .jwtGrants
        case .drainSeconds:
            SettingDefinition(
                flag: "drain-seconds",
                values: .number(0...600, "a number of seconds"),
                valueName: "seconds",
                default: "5",
                summary: """
                    The time for which the port stays open after SIGTERM, while `/readyz` returns 503 and answers end \
                    their connections, in seconds.
                    """
            )
        case .logLevel:
            SettingDefinition(
                flag: "log-level",
                values: .choice(Logger.Level.allCases.map(\.rawValue)),
                valueName: "level",
                default: "info",
                summary: "The least severe messages to log."
            )
        case .logFormat:
            SettingDefinition(
                flag: "log-format",
                values: .choice(LogFormat.allCases.map(\.rawValue)),
                valueName: "format",
                default: LogFormat.text.rawValue,
                summary: "The format of log messages; in `logfmt` and `json`, each is one line."
            )
        case .logRequests:
            SettingDefinition(
                flag: "log-requests",
                values: .optionalTruth,
                default: "",
                summary: "Whether to log a line for each request, at `info`; by default only off loopback."
            )
        case .logProbes:
            SettingDefinition(
                flag: "log-probes",
                values: .choice(["true", "false"]),
                default: "true",
                summary: "Whether those lines include `/healthz` and `/readyz` that were answered with 200."
            )
        case .resolutionLogPath:
            SettingDefinition(
                flag: "resolution-log-path",
                values: .optionalText,
                valueName: "file",
                default: "",
                summary: "The file that gets a JSON line for each resolution, without users and values; none: no log."
            )
        case .resolutionLogMegabytes:
            SettingDefinition(
                flag: "resolution-log-maximum-megabytes",
                values: .number(1...1_000_000, "a number of MiB"),
                valueName: "MiB",
                default: "256",
                summary: "The size from which on that file is renamed to end in .1, in MiB, and begun anew."
            )
        case .auditPath: .auditPath
        }
    }
}
