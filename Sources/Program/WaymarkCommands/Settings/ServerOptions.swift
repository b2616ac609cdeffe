import ArgumentParser
import DeepLinkCore

/// The options of the server that no other command has.
package struct ServerOptions: ParsableArguments {
    @Flag(.insecureNoAuth) var insecureNoAuth = false
    @Option(.anonymous) var anonymous: String?
    @Option(.perCallerLimit) var perCallerLimit: String?
    @Option(.pageLimit) var pageLimit: String?
    @Option(.shortLinksPerUser) var shortLinksPerUser: String?
    @Option(.crossOrigins) var crossOrigins: String?
    @Flag(.consoleDisabled) var consoleDisabled = false
    @Option(.consoleHosts) var consoleHosts: String?
    @Option(.consoleIssuer) var consoleIssuer: String?
    @Option(.consoleClientID) var consoleClientID: String?
    @Option(.consoleRoleClaim) var consoleRoleClaim: String?
    @Option(.consoleRoles) var consoleRoles: String?
    @Flag(.strictCatalog) var strictCatalog = false
    @Option(.bundle) var bundle: String?
    @Option(.redirectPort) var redirectPort: String?
    @Option(.maximumConnections) var maximumConnections: String?
    @Option(.maximumRequests) var maximumRequests: String?
    @Option(.maximumArrivingMegabytes) var maximumArrivingMegabytes: String?
    @Option(.maximumCachedUsers) var maximumCachedUsers: String?
    @Option(.maximumStaleness) var maximumStaleness: String?
    @Option(.staleIfError) var staleIfError: String?
    @Flag(.backupBeforeUpgrade) var backupBeforeUpgrade = false
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
    @Option(.resolutionLogMegabytes) var resolutionLogMegabytes: String?
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
}

/// The options for the server's listening address, and for the certificate that it shows there.
package struct ListeningOptions: ParsableArguments {
    @Option(.host) var host: String?
    @Option(.port) var port: String?
    @Option(.tlsCertificate) var tlsCertificate: String?
    @Option(.tlsKey) var tlsKey: String?
}

/// The option of writing commands that creates a missing database.
struct NewDatabaseOption: ParsableArguments {
    @Flag(help: "Create the database if it doesn't exist. Without the flag, a missing one is an error.")
    var create = false
}

extension ParsableArguments {
    /// The settings given on the command line, by the properties named like a setting.
    package var overrides: [Setting: String] {
        Mirror(reflecting: self).children
            .reduce(into: [:]) { overrides, child in
                let setting = Setting.allCases.first { "_\($0)".bytewise == child.label?.bytewise }
                guard let setting, let option = child.value as? any SettingOption else { return }
                overrides[setting] = option.text
            }
    }
}

/// An option or a flag that gives a setting.
private protocol SettingOption {
    /// The value of the setting, or `nil` if it isn't given.
    var text: String? { get }
}

extension Option: SettingOption where Value == String? {
    /// Creates the option of a setting.
    init(_ setting: Setting) {
        self.init(name: .customLong(setting.definition.flag ?? ""), help: ArgumentHelp(setting))
    }

    fileprivate var text: String? { wrappedValue }
}

extension Flag: SettingOption where Value == Bool {
    /// Creates the flag of a setting.
    init(wrappedValue: Bool, _ setting: Setting) {
        self.init(
            wrappedValue: wrappedValue,
            name: .customLong(setting.definition.flag ?? ""),
            help: ArgumentHelp(setting)
        )
    }

    fileprivate var text: String? { wrappedValue ? "true" : nil }
}

extension ArgumentHelp {
    /// Creates the help of a setting.
    fileprivate init(_ setting: Setting) {
        self.init("\(setting.help)", valueName: setting.definition.valueName)
    }
}
