import ArgumentParser

/// The options of the server that no other command has.
package struct ServerOptions: ParsableArguments {
    @Flag(help: ArgumentHelp(.insecureNoAuth)) var insecureNoAuth = false
    @Option(.anonymous) var anonymous: String?
    @Option(.perCallerLimit) var limitPerCaller: String?
    @Option(.pageLimit) var limitPages: String?
    @Option(.shortLinksPerUser) var shortLinksPerUser: String?
    @Option(.crossOrigins) var corsOrigins: String?
    @Flag(help: ArgumentHelp(.consoleDisabled)) var noConsole = false
    @Option(.consoleHosts) var consoleHosts: String?
    @Option(.consoleIssuer) var consoleOIDCIssuer: String?
    @Option(.consoleClientID) var consoleOIDCClientID: String?
    @Option(.consoleRoleClaim) var consoleOIDCRoleClaim: String?
    @Option(.consoleRoles) var consoleOIDCRoles: String?
    @Flag(help: ArgumentHelp(.strictCatalog)) var strictCatalog = false
    @Option(.bundle) var bundle: String?
    @Option(.redirectPort) var redirectPort: String?
    @Option(.maximumConnections) var maximumConnections: String?
    @Option(.maximumRequests) var maximumRequests: String?
    @Option(.maximumArrivingMegabytes) var maximumArrivingMegabytes: String?
    @Option(.maximumCachedUsers) var maximumCachedUsers: String?
    @Option(.maximumStaleness) var maximumStaleness: String?
    @Option(.staleIfError) var staleIfError: String?
    @Flag(help: ArgumentHelp(.backupBeforeUpgrade)) var backupBeforeUpgrade = false
    @Option(.maximumHistoryCount) var maximumHistoryCount: String?
    @Option(.maximumHistoryAge) var maximumHistoryAge: String?
    @Option(.continuationLifetime) var continuationLifetime: String?
    @Option(.signingKeys) var signingKeys: String?
    @Option(.drainSeconds) var drainSeconds: String?
    @Option(.logLevel) var logLevel: String?
    @Option(.logFormat) var logFormat: String?
    @Option(.logRequests) var logRequests: String?
    @Option(.logProbes) var logProbes: String?
    @Option(.resolutionLogPath) var resolutionLogPath: String?
    @Option(.resolutionLogMegabytes) var resolutionLogMaximumMegabytes: String?
    @Option(.auditPath) var auditPath: String?
    @Option(.jwtIssuer) var jwtIssuer: String?
    @Option(.jwtAudience) var jwtAudience: String?
    @Option(.jwtKeys) var jwtKeys: String?
    @Option(.jwtJWKSURL) var jwtJWKSURL: String?
    @Option(.jwtRefreshInterval) var jwtRefreshInterval: String?
    @Option(.jwtMinimumLevel) var jwtMinimumLevel: String?
    @Option(.jwtLevelClaim) var jwtLevelClaim: String?
    @Option(.jwtLevels) var jwtLevels: String?
    @Option(.jwtGrantsClaim) var jwtGrantsClaim: String?
    @Option(.jwtGrants) var jwtGrants: String?

    /// The settings given on the command line.
    package var overrides: [Setting: String] {
        let overrides: [Setting: String?] = [
            .insecureNoAuth: insecureNoAuth ? "true" : nil,
            .anonymous: anonymous,
            .perCallerLimit: limitPerCaller,
            .pageLimit: limitPages,
            .shortLinksPerUser: shortLinksPerUser,
            .crossOrigins: corsOrigins,
            .consoleDisabled: noConsole ? "true" : nil,
            .consoleHosts: consoleHosts,
            .consoleIssuer: consoleOIDCIssuer,
            .consoleClientID: consoleOIDCClientID,
            .consoleRoleClaim: consoleOIDCRoleClaim,
            .consoleRoles: consoleOIDCRoles,
            .strictCatalog: strictCatalog ? "true" : nil,
            .bundle: bundle,
            .redirectPort: redirectPort,
            .maximumConnections: maximumConnections,
            .maximumRequests: maximumRequests,
            .maximumArrivingMegabytes: maximumArrivingMegabytes,
            .maximumCachedUsers: maximumCachedUsers,
            .maximumStaleness: maximumStaleness,
            .staleIfError: staleIfError,
            .backupBeforeUpgrade: backupBeforeUpgrade ? "true" : nil,
            .maximumHistoryCount: maximumHistoryCount,
            .maximumHistoryAge: maximumHistoryAge,
            .continuationLifetime: continuationLifetime,
            .signingKeys: signingKeys,
            .drainSeconds: drainSeconds,
            .logLevel: logLevel,
            .logFormat: logFormat,
            .logRequests: logRequests,
            .logProbes: logProbes,
            .resolutionLogPath: resolutionLogPath,
            .resolutionLogMegabytes: resolutionLogMaximumMegabytes,
            .auditPath: auditPath,
            .jwtIssuer: jwtIssuer,
            .jwtAudience: jwtAudience,
            .jwtKeys: jwtKeys,
            .jwtJWKSURL: jwtJWKSURL,
            .jwtRefreshInterval: jwtRefreshInterval,
            .jwtMinimumLevel: jwtMinimumLevel,
            .jwtLevelClaim: jwtLevelClaim,
            .jwtLevels: jwtLevels,
            .jwtGrantsClaim: jwtGrantsClaim,
            .jwtGrants: jwtGrants,
        ]
        return overrides.compactMapValues(\.self)
    }
}

/// The options for the server's listening address, and for the certificate that it shows there.
package struct ListeningOptions: ParsableArguments {
    @Option(.host) var host: String?
    @Option(.port) var port: String?
    @Option(.tlsCertificate) var tlsCertificate: String?
    @Option(.tlsKey) var tlsKey: String?

    /// The settings given on the command line.
    package var overrides: [Setting: String] {
        let overrides: [Setting: String?] = [
            .host: host, .port: port, .tlsCertificate: tlsCertificate, .tlsKey: tlsKey,
        ]
        return overrides.compactMapValues(\.self)
    }
}

/// The option of writing commands that creates a missing database.
struct NewDatabaseOption: ParsableArguments {
    @Flag(help: "Create the database if it doesn't exist. Without the flag, a missing one is an error.")
    var create = false
}

extension ArgumentHelp {
    /// Creates the flag of a setting, with its help.
    init(_ setting: Setting) {
        self.init("\(setting.help)", valueName: setting.definition.valueName)
    }
}

extension Option where Value == String? {
    /// Creates the option of a setting.
    init(_ setting: Setting) {
        self.init(name: setting.definition.flag.map { .customLong($0) } ?? .long, help: ArgumentHelp(setting))
    }
}
