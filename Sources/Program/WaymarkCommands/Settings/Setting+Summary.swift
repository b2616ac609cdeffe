import DeepLinkAuthentication

extension Setting {
    /// The meaning of the setting, in one or two sentences.
    var summary: String {
        switch self {
        case .host: "The address to listen on."
        case .port: "The TCP port. 0 takes any free port."
        case .maximumConnections: "The maximum number of connections at a time. Further connections wait."
        case .maximumRequests: "The maximum number of requests in progress. Further requests get 503."
        case .maximumArrivingMegabytes:
            "The maximum size of all incomplete requests in memory, in MiB. Further requests get 503."
        case .tlsCertificate:
            """
            The file of the certificate for TLS, followed by the certificates of its issuers, in PEM. Without it, the \
            server speaks plain HTTP, as behind a proxy. A changed file counts within three seconds.
            """
        case .tlsKey: "The file of the certificate's private key, in PEM."
        case .redirectPort: "The TCP port that redirects plain HTTP to https, if there is a certificate."
        case .catalog: "The route catalog."
        case .strictCatalog:
            """
            Do not start if the catalog has faults. Otherwise the server starts with the last catalog that was in \
            force, stored beside a database file, and reports the faults.
            """
        case .bundle:
            "The signed catalog for apps, as `waymark catalog bundle` writes it, with its signature beside it."
        case .database:
            """
            The location of user states and tokens: a SQLite file, or a PostgreSQL database that replicas share, as \
            `postgres://user@host:port/name`.
            """
        case .maximumCachedUsers:
            """
            The maximum number of users with a cached level. Other levels are read from the file. A user takes some \
            300 bytes with a UUID as its id.
            """
        case .maximumStaleness:
            """
            With PostgreSQL, the longest time until requests without a version see a change of another replica, in \
            seconds.
            """
        case .staleIfError:
            """
            With PostgreSQL, how much longer links are resolved by cached levels while the database is unreachable, in \
            seconds. Such responses have `Warning: 110`.
            """
        case .backupBeforeUpgrade:
            """
            Before a newer version upgrades a SQLite file, copy the file beside itself, as `.before-step-N`. This \
            needs as much disk as the file. Commands obey it too.
            """
        case .maximumHistoryCount:
            "The maximum number of changes in the history of each user. The newest change is always kept."
        case .maximumHistoryAge:
            "The age at which the history drops a change when the user is next changed, in days. 0 for no limit."
        case .insecureNoAuth:
            """
            Serve beyond loopback without any credentials: anyone who can connect may do everything. Existing \
            credentials are still required.
            """
        case .anonymous:
            """
            The rights of callers without credentials: resolve links as nobody, on the level `none`, or nothing. If \
            they may resolve, everything else needs credentials, on loopback too.
            """
        case .perCallerLimit:
            """
            The maximum number of requests per second of each service token, each end user, and each address without \
            credentials, and of refused credentials of each address. Further requests get 429. 0 for no limit. By \
            default, 20 for each address, and no limit for others.
            """
        case .pageLimit:
            """
            The maximum number of pages and redirects of web links per second for each address. Further requests get \
            429. 0 for no limit.
            """
        case .shortLinksPerUser:
            """
            The maximum number of short links that an end user may create in a day, for links that they may open. \
            Further requests get 429. 0 for none.
            """
        case .crossOrigins:
            """
            The origins with pages that may send requests and read responses, such as `https://app.example.com`, \
            separated by commas. `*` grants all origins the rights of callers without credentials.
            """
        case .consoleDisabled: "Serve no console at `/console`."
        case .consoleHosts:
            """
            The hosts of https origins of the catalog that serve the console too, separated by commas. All other hosts \
            serve it anyway.
            """
        case .consoleIssuer:
            "The OpenID Connect provider by which people log in to the console, by its issuer's https URL."
        case .consoleClientID: "The id of this service's client at that provider."
        case .consoleClientSecret: "The secret of that client."
        case .consoleRoleClaim:
            """
            The claim of the provider's ID tokens with a person's roles, by the values in console.oidc.roles, \
            otherwise by name. A dot reaches the member of an object.
            """
        case .consoleRoles:
            "The role for each value of this claim. Without a mapping, the values are the names of roles."
        case .continuationLifetime:
            "The time for which a gated link may be resolved again with its continuation, in seconds."
        case .continuationKey:
            """
            The key that signs continuations: \(HMACKey.minimumByteCount) bytes or more in base64. Of several keys, \
            separated by commas, the first signs, and all verify.
            """
        case .signingKeys:
            """
            The file of the keys that sign links, in JSON. The first signs, and all verify. A changed file counts \
            within two seconds.
            """
        case .signingSecrets:
            """
            The keys that sign links, instead of a file: the id of each and its secret in base64. The first signs, and \
            all verify.
            """
        case .jwtIssuer: "The `iss` of end users' tokens (JWTs), or several, separated by commas."
        case .jwtAudience:
            "The `aud` that end users' tokens must name, or several, of which they must name one, separated by commas."
        case .jwtKeys: "The file of the keys that verify end users' tokens, a JWK Set."
        case .jwtJWKSURL: "The https URL of those keys, instead of a file."
        case .jwtRefreshInterval: "The interval at which those keys are read again, in seconds."
        case .jwtMinimumLevel:
            "The level that every end user with a valid token has at least, independent of the stored one."
        case .jwtLevelClaim:
            """
            The claim with the level of an end user's token, by the values in jwt.levels. A dot reaches the member of \
            an object.
            """
        case .jwtLevels:
            "The level for each value of this claim. The highest of several levels, and of the stored level, counts."
        case .jwtGrantsClaim:
            """
            The claim with the grants of an end user's token, by name or by the words in jwt.grants. A dot reaches the \
            member of an object.
            """
        case .jwtGrants: "The grant for each word of this claim. Without words, the claim lists the names of grants."
        case .drainSeconds:
            """
            The time for which the port stays open after SIGTERM, while `/readyz` returns 503 and responses end their \
            connections, in seconds.
            """
        case .logLevel: "The least severe messages to log."
        case .logFormat: "The format of log messages. In `logfmt` and `json`, each message is one line."
        case .logRequests: "Whether to log a line for each request, at `info`. By default only beyond loopback."
        case .logProbes: "Whether these lines include requests for `/healthz` and `/readyz` that returned 200."
        case .resolutionLogPath:
            """
            The file that gets a JSON line for each resolution, without users and values. Without a file, no log is \
            written.
            """
        case .resolutionLogMegabytes:
            "The size at which this file is renamed with the suffix .1 and started again, in MiB."
        case .auditPath:
            """
            The file to which the service and commands add a JSON line for each change of a user, a token, a short \
            link or the catalog. stderr: among the messages of the log, by the service alone. none: no audit log.
            """
        }
    }
}
