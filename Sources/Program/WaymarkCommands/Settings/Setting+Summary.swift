import DeepLinkAuthentication

extension Setting {
    /// The meaning of the setting, in one or two sentences.
    var summary: String {
        switch self {
        case .host: "The address to listen on."
        case .port: "The TCP port; 0 takes any free one."
        case .maximumConnections: "The most connections at a time; further ones wait."
        case .maximumRequests: "The most requests worked on at a time; further ones get 503."
        case .maximumArrivingMegabytes:
            """
            The most MiB of requests that are kept over all connections while their rest is awaited; further \
            ones get 503.
            """
        case .tlsCertificate:
            """
            The file of the certificate for TLS, with those of its issuers after it, in PEM; none: plain text, as \
            behind a proxy. A changed file counts within three seconds.
            """
        case .tlsKey: "The file of the certificate's private key, in PEM."
        case .redirectPort: "The TCP port that redirects plain HTTP to https, if there is a certificate."
        case .catalog: "The route catalog."
        case .strictCatalog:
            """
            Do not start where the catalog has faults. Otherwise the server starts with the last one that was in force, \
            which it keeps beside a database file, and reports the faults.
            """
        case .bundle:
            """
            The signed catalog for apps, as `waymark catalog bundle` writes it; its signature is beside it.
            """
        case .database:
            """
            The location of user states and tokens: a SQLite file, or a PostgreSQL database that replicas share, as \
            `postgres://user@host:port/name`.
            """
        case .maximumCachedUsers:
            """
            The most users whose level is cached; that of others is read from the file. A user takes some \
            300 bytes with a UUID as its id.
            """
        case .maximumStaleness:
            """
            With PostgreSQL, the longest time for which a change of another replica may stay unseen by requests \
            that name no version, in seconds.
            """
        case .staleIfError:
            """
            With PostgreSQL, for how long beyond that links are resolved by the levels in memory while the database \
            is out of reach, in seconds; such answers have `Warning: 110`.
            """
        case .backupBeforeUpgrade:
            """
            Before a newer version upgrades a SQLite file, copy the file beside itself, as `.before-step-N`; needs its \
            size of disk again. Commands obey it too.
            """
        case .maximumHistoryCount: "The most changes of each user that the history keeps; the newest is always kept."
        case .maximumHistoryAge:
            """
            The age from which on the history drops a change, when the user is next changed, in days; 0 for \
            none.
            """
        case .insecureNoAuth:
            """
            Serve beyond loopback without any credentials: anyone who can connect may do everything. \
            Existing credentials are still required.
            """
        case .anonymous:
            """
            The rights of callers without credentials: resolve links as nobody, on the level `none`, or nothing. If \
            they may resolve, everything else needs credentials, on loopback too.
            """
        case .perCallerLimit:
            """
            The most requests a second of each service token, of each end user, and of each address without \
            credentials, and the most credentials of an address that are refused; further ones get 429. 0 for any \
            number; if nothing is set, 20 of each address, and any number of others.
            """
        case .pageLimit:
            """
            The most pages and redirects of web links a second of each address; further requests get 429. 0 for any \
            number.
            """
        case .shortLinksPerUser:
            """
            The most short links that an end user may make in a day, of links that they may open; further ones get \
            429. 0 for none.
            """
        case .crossOrigins:
            """
            The origins, such as `https://app.example.com`, separated by commas, whose pages may send requests and \
            read answers; `*` lets all do what callers without credentials may.
            """
        case .consoleDisabled: "Serve no console at `/console`."
        case .consoleHosts:
            """
            The hosts of https origins of the catalog, separated by commas, by which the console is answered too; \
            all other hosts have it.
            """
        case .consoleIssuer:
            "The OpenID Connect provider by which people log in to the console, by its issuer's https URL."
        case .consoleClientID: "The id of this service's client at that provider."
        case .consoleClientSecret: "The secret of that client."
        case .consoleRoleClaim:
            """
            The claim of the provider's ID tokens that says a person's roles, by the values in \
            console.oidc.roles, else by name; behind a dot, the member of an object.
            """
        case .consoleRoles:
            "The role that each value of that claim gives; without any, values are the names of roles themselves."
        case .continuationLifetime:
            "The time for which a gated link may be resolved again with its continuation, in seconds."
        case .continuationKey:
            """
            The key that signs continuations: \(CodeKey.minimumByteCount) bytes or more in \
            base64; of several, with commas between, the first signs, and all verify.
            """
        case .signingKeys:
            """
            The file of the keys that sign links, in JSON; the first signs, and all verify. A changed file counts \
            within two seconds.
            """
        case .signingSecrets:
            """
            The keys that sign links, instead of a file: the id of each and its secret in base64; the first signs, \
            and all verify.
            """
        case .jwtIssuer: "The `iss` of end users' tokens (JWTs); of several, any, with commas between."
        case .jwtAudience: "The `aud` that end users' tokens must name; of several, any, separated by commas."
        case .jwtKeys: "The file of the keys that verify end users' tokens, a JWK Set."
        case .jwtJWKSURL: "The https URL of those keys, instead of a file."
        case .jwtRefreshInterval: "The interval at which those keys are read again, in seconds."
        case .jwtMinimumLevel:
            "The level that every end user with a valid token has at least, independent of the stored one."
        case .jwtLevelClaim:
            """
            The claim of end users' tokens that says their level, by the values in jwt.levels; behind a dot, the \
            member of an object.
            """
        case .jwtLevels:
            "The level that each value of that claim gives; of several the highest counts, and of the stored one."
        case .jwtGrantsClaim:
            """
            The claim of end users' tokens that lists their grants, by name or by the words in jwt.grants; behind a dot, \
            the member of an object.
            """
        case .jwtGrants: "The grant that each word of that claim gives; without any, the claim has the names of grants."
        case .drainSeconds:
            """
            The time for which the port stays open after SIGTERM, while `/readyz` returns 503 and answers end \
            their connections, in seconds.
            """
        case .logLevel: "The least severe messages to log."
        case .logFormat: "The format of log messages; in `logfmt` and `json`, each is one line."
        case .logRequests: "Whether to log a line for each request, at `info`; by default only off loopback."
        case .logProbes: "Whether those lines include `/healthz` and `/readyz` that were answered with 200."
        case .resolutionLogPath:
            "The file that gets a JSON line for each resolution, without users and values; none: no log."
        case .resolutionLogMegabytes:
            "The size from which on that file is renamed to end in .1, in MiB, and begun anew."
        case .auditPath:
            """
            The file to which the service and commands add a JSON line for each change of a user, a token, a short link or the \
            catalog; stderr: between the messages of the log, by the service alone; none: no audit log.
            """
        }
    }
}
