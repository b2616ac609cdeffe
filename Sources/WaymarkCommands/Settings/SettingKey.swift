/// Lists the settings; each has an environment variable, a key in the settings file and a default, and all but secrets
/// have a flag.
enum SettingKey: String, CaseIterable {
    /// The address to listen on, a host name or an IP address.
    case host = "http.host"

    /// The TCP port to listen on, 0 to 65535; 0 takes any free one.
    case port = "http.port"

    /// The most connections at a time, 1 to 100000; further ones wait to be accepted.
    case maximumConnections = "http.maximumConnections"

    /// The most requests that are worked on at a time, 1 to 100000; further ones are answered 503.
    case maximumRequests = "http.maximumRequests"

    /// The most bytes of requests that are kept over all connections while their rest is awaited, 1 to 65536 MiB; beyond,
    /// requests are answered 503.
    case maximumArrivingMegabytes = "http.maximumArrivingMegabytes"

    /// The SQLite file of user states.
    case database

    /// Of how many users the server remembers the level, 0 to 10000000.
    case maximumCachedUsers = "cache.maximumUsers"

    /// The most changes of a user that the history keeps, 1 to 1000000.
    case maximumHistoryCount = "history.maximumCount"

    /// The age from which on the history drops a change, in days, 0 to 36500; 0 for none.
    case maximumHistoryAge = "history.maximumAge"

    /// The route catalog.
    case catalog

    /// Whether to serve beyond loopback without credentials.
    case insecureNoAuth

    /// The least severe messages that are logged.
    case logLevel = "log.level"

    /// How long a continuation may be redeemed, in seconds, 1 to 86400.
    case continuationLifetime = "continuation.lifetime"

    /// The key that signs continuations, in base64; empty for one in a file beside the database.
    case continuationKey = "continuation.key"

    /// The issuer of end users' tokens.
    case jwtIssuer = "jwt.issuer"

    /// The audience of end users' tokens.
    case jwtAudience = "jwt.audience"

    /// The file of the keys that verify end users' tokens; empty for none.
    case jwtKeys = "jwt.keys"

    /// The URL of the keys that verify end users' tokens; empty for none.
    case jwtJWKSURL = "jwt.jwksURL"

    /// How often those keys are read again, in seconds, 10 to 86400.
    case jwtRefreshInterval = "jwt.refreshInterval"

    /// The value where nothing is set.
    var defaultValue: String {
        switch self {
        case .host: "127.0.0.1"
        case .port: "8080"
        case .maximumConnections: "10000"
        case .maximumRequests: "1024"
        case .maximumArrivingMegabytes: "64"
        case .database: "var/waymark.sqlite"
        case .maximumCachedUsers: "100000"
        case .maximumHistoryCount: "1000"
        case .maximumHistoryAge: "0"
        case .catalog: "Config/routes.yaml"
        case .insecureNoAuth: "false"
        case .logLevel: "info"
        case .continuationLifetime: "600"
        case .continuationKey: ""
        case .jwtIssuer: ""
        case .jwtAudience: ""
        case .jwtKeys: ""
        case .jwtJWKSURL: ""
        case .jwtRefreshInterval: "300"
        }
    }

    /// The command-line flag; none for a secret, since everyone can read the arguments of a process.
    var flag: String? {
        switch self {
        case .host: "--host"
        case .port: "--port"
        case .maximumConnections: "--maximum-connections"
        case .maximumRequests: "--maximum-requests"
        case .maximumArrivingMegabytes: "--maximum-arriving-megabytes"
        case .database: "--database"
        case .maximumCachedUsers: "--maximum-cached-users"
        case .maximumHistoryCount: "--maximum-history-count"
        case .maximumHistoryAge: "--maximum-history-age"
        case .catalog: "--catalog"
        case .insecureNoAuth: "--insecure-no-auth"
        case .logLevel: "--log-level"
        case .continuationLifetime: "--continuation-lifetime"
        case .continuationKey: nil
        case .jwtIssuer: "--jwt-issuer"
        case .jwtAudience: "--jwt-audience"
        case .jwtKeys: "--jwt-keys"
        case .jwtJWKSURL: "--jwt-jwks-url"
        case .jwtRefreshInterval: "--jwt-refresh-interval"
        }
    }

    /// The environment variable.
    var variable: String {
        switch self {
        case .host: "WAYMARK_HTTP_HOST"
        case .port: "WAYMARK_HTTP_PORT"
        case .maximumConnections: "WAYMARK_HTTP_MAXIMUM_CONNECTIONS"
        case .maximumRequests: "WAYMARK_HTTP_MAXIMUM_REQUESTS"
        case .maximumArrivingMegabytes: "WAYMARK_HTTP_MAXIMUM_ARRIVING_MEGABYTES"
        case .database: "WAYMARK_DATABASE"
        case .maximumCachedUsers: "WAYMARK_CACHE_MAXIMUM_USERS"
        case .maximumHistoryCount: "WAYMARK_HISTORY_MAXIMUM_COUNT"
        case .maximumHistoryAge: "WAYMARK_HISTORY_MAXIMUM_AGE"
        case .catalog: "WAYMARK_CATALOG"
        case .insecureNoAuth: "WAYMARK_INSECURE_NO_AUTH"
        case .logLevel: "WAYMARK_LOG_LEVEL"
        case .continuationLifetime: "WAYMARK_CONTINUATION_LIFETIME"
        case .continuationKey: "WAYMARK_CONTINUATION_KEY"
        case .jwtIssuer: "WAYMARK_JWT_ISSUER"
        case .jwtAudience: "WAYMARK_JWT_AUDIENCE"
        case .jwtKeys: "WAYMARK_JWT_KEYS"
        case .jwtJWKSURL: "WAYMARK_JWT_JWKS_URL"
        case .jwtRefreshInterval: "WAYMARK_JWT_REFRESH_INTERVAL"
        }
    }

    /// Says how to change the setting.
    var waysToSet: String { (flag.map { $0 + ", " } ?? "") + "\(variable) or \(rawValue) in the settings file" }
}
