package import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import Foundation
package import Logging

/// The settings in force: flags, over the environment, over the settings file, over defaults.
package struct Settings {
    /// The default settings files, of which the first that exists counts: an installed service's, and a checkout's.
    static let defaultFiles = ["/etc/waymark/service.yaml", "Config/service.yaml"]

    /// The settings file that was read, or `nil` if there was none.
    package let file: String?

    /// The keys of the file that environment variables override.
    let overriddenKeys: [Setting]

    package let host: String
    package let port: Int

    /// The settings of TLS, or `nil` for plain text.
    package let tls: TLSSettings?

    /// The most connections at a time.
    package let maximumConnections: Int

    /// The most requests processed at a time.
    package let maximumRequests: Int

    /// The most bytes of incomplete requests that are kept over all connections.
    package let maximumArrivingByteCount: Int

    /// The location of user states and tokens.
    package let database: DatabaseLocation

    /// The maximum number of users in the server's cache.
    let maximumCachedUsers: Int

    /// The maximum delay after which changes by other replicas are visible, in seconds.
    let maximumStaleness: Int

    /// The time for which cached levels count while the database is unavailable, in seconds.
    let staleIfError: Int

    /// Whether the server copies a database file before it upgrades it.
    let backsUpBeforeUpgrade: Bool

    /// The limits of the history that is stored for each user.
    let historyLimits: UserHistoryLimits
    package let catalog: String

    /// Whether the server keeps the catalog in force beside a database file, for a start with one that has faults.
    package let keepsCatalog: Bool

    /// The file of the signed catalog for apps, or `nil` for none.
    package let bundle: String?

    package let insecureNoAuth: Bool

    /// Whether callers without credentials may resolve links.
    package let letsAnonymousResolve: Bool

    /// The most requests a second of each caller: 0 for no limit, `nil` if not set.
    package let perCallerLimit: Int?

    /// The most web pages a second for each address, or 0 for no limit.
    package let pageLimit: Int

    /// The most short links that an end user may make in a day, or 0 for none.
    package let shortLinksPerUser: Int

    /// The origins whose pages may read answers, as written.
    package let crossOrigins: [String]

    /// Whether the console is enabled.
    package let hasConsole: Bool

    /// The additional hosts of https origins for the console.
    package let consoleHosts: [String]

    /// The settings of logins to the console, or `nil` if nobody can log in.
    package let login: OpenIDSettings?

    /// The time for which the port stays open after SIGTERM, in seconds.
    package let drainSeconds: Int
    package let logLevel: Logger.Level
    package let logFormat: LogFormat

    /// Whether each request is logged, or `nil` to log if other machines can connect.
    package let logRequests: Bool?

    /// Whether the log of requests includes probes that were answered with 200.
    package let logsProbes: Bool

    /// The file of the resolution log, or an empty text for none.
    package let resolutionLogPath: String

    /// The size at which a new resolution log is begun.
    package let maximumResolutionLogByteCount: Int

    /// The place of the audit log.
    package let audit: AuditLocation

    /// The lifetime of a continuation, in seconds.
    package let continuationLifetime: Int

    /// The keys of continuations, the signing key first, or none for those in files beside the database.
    package let continuationKeys: [[UInt8]]

    /// The source of the link-signing keys, or `nil` for none.
    package let signingKeys: SigningKeySource?

    /// The settings of end users' tokens, or `nil` if none are accepted.
    package let endUsers: EndUserSettings?

    /// The environment variables with the prefix of settings but an unknown name, which are ignored.
    let unknownVariables: [String]

    /// Reads the settings.
    ///
    /// The default settings file is the value of `WAYMARK_CONFIG`, or else the first default file that exists.
    ///
    /// - Throws: ``CommandError`` naming an invalid setting, and the ways to set it.
    init(
        flags: [Setting: String],
        configFile: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        defaultFiles: [String] = Self.defaultFiles
    ) throws {
        unknownVariables = try EnvironmentCheck.unknownVariables(of: environment)
        let file = configFile ?? environment["WAYMARK_CONFIG"] ?? defaultFiles.first(where: SettingsFile.exists)
        let written = try file.map { try SettingsFile.values(of: $0) } ?? [:]
        self.file = file
        overriddenKeys = Setting.allCases.filter { setting in
            guard flags[setting] == nil, let value = written[setting] else { return false }
            return environment[setting.variable].map { $0.bytewise != value.bytewise } ?? false
        }
        let reader = SettingReader(flags: flags, environment: environment, file: written, path: file)
        host = try reader.text(.host)
        port = try reader.number(.port)
        tls = try TLSSettings.read(reader)
        maximumConnections = try reader.number(.maximumConnections)
        maximumRequests = try reader.number(.maximumRequests)
        maximumArrivingByteCount = try reader.number(.maximumArrivingMegabytes) << 20
        database = try DatabaseLocation(reader.text(.database), ways: reader.waysToSet(.database))
        maximumCachedUsers = try reader.number(.maximumCachedUsers)
        maximumStaleness = try reader.number(.maximumStaleness)
        staleIfError = try reader.number(.staleIfError)
        backsUpBeforeUpgrade = try reader.truth(.backupBeforeUpgrade)
        let historyDays = Int64(try reader.number(.maximumHistoryAge))
        historyLimits = UserHistoryLimits(
            maximumCount: try reader.number(.maximumHistoryCount),
            maximumAge: historyDays == 0 ? nil : historyDays * 86_400_000
        )
        catalog = try reader.text(.catalog)
        keepsCatalog = try !reader.truth(.strictCatalog)
        let bundle = try reader.text(.bundle)
        self.bundle = bundle.isEmpty ? nil : bundle
        insecureNoAuth = try reader.truth(.insecureNoAuth)
        letsAnonymousResolve = try reader.text(.anonymous).bytewise == "resolve"
        perCallerLimit = Int(try reader.text(.perCallerLimit))
        pageLimit = try reader.number(.pageLimit)
        shortLinksPerUser = try reader.number(.shortLinksPerUser)
        crossOrigins = SettingList.words(try reader.text(.crossOrigins))
        hasConsole = try !reader.truth(.consoleDisabled)
        consoleHosts = try Self.consoleHosts(reader)
        login = try Self.login(reader)
        continuationLifetime = try reader.number(.continuationLifetime)
        continuationKeys = try Self.continuationKeys(reader)
        signingKeys = try Self.signingKeySource(reader)
        endUsers = try Self.endUsers(reader)
        drainSeconds = try reader.number(.drainSeconds)
        logFormat = try reader.value(.logFormat) { LogFormat(rawValue: $0) }
        logRequests = Bool(try reader.text(.logRequests))
        logsProbes = try reader.truth(.logProbes)
        resolutionLogPath = try reader.text(.resolutionLogPath)
        maximumResolutionLogByteCount = try reader.number(.resolutionLogMegabytes) << 20
        audit = AuditLocation(try reader.text(.auditPath))
        logLevel = try reader.value(.logLevel) { Logger.Level(rawValue: $0) }
    }

    /// Returns the ways to change a setting, for messages.
    package func waysToSet(_ setting: Setting) -> String { setting.waysToSet(in: file) }
}

/// The place of the audit log, as the setting names it.
package enum AuditLocation: Equatable {
    /// The service's standard error, between the messages of its log; commands write nothing.
    case standardError

    /// No log.
    case off

    /// A file that both the service and commands append to.
    case file(String)

    /// Reads the value of the setting.
    ///
    /// A file named like one of the two keywords needs the prefix `./`.
    init(_ text: String) {
        switch text.bytewise {
        case "stderr": self = .standardError
        case "none": self = .off
        default: self = .file(text)
        }
    }
}

extension Settings {
    /// Reads the additional hosts of the console.
    ///
    /// - Throws: ``CommandError`` for a text that is not a host, with or without a port.
    static func consoleHosts(_ reader: SettingReader) throws(CommandError) -> [String] {
        let hosts = SettingList.words(try reader.text(.consoleHosts))
        for host in hosts {
            guard let link = try? DeepLink("https://\(host)/"), !link.host.isEmpty,
                !host.utf8.contains(where: "/?#".utf8.contains)
            else {
                throw CommandError.usage(
                    "\(Setting.consoleHosts.rawValue) has `\(host)`, which is not a host; write one as the catalog does, such as "
                        + "links.example.com, by \(reader.waysToSet(.consoleHosts))."
                )
            }
        }
        return hosts
    }
}

/// The items of a list setting: a JSON array made from a list of the settings file, or strings separated by commas.
enum SettingList {
    /// Returns the nonempty items of a list, without surrounding spaces.
    static func items(_ text: String) -> [String] {
        if text.utf8.first == UInt8(ascii: "["), case .array(let items)? = try? JSONParser.parse(Array(text.utf8)) {
            return items.compactMap { if case .string(let item) = $0, !item.isEmpty { item } else { nil } }
        }
        return NameList.items(text)
    }

    /// Returns the items of a list of words, which spaces can also separate.
    static func words(_ text: String) -> [String] {
        items(text).flatMap { $0.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) } }
    }
}

/// The settings of TLS.
package struct TLSSettings {
    /// The file of the certificate, with those of its issuers.
    package let certificate: String

    /// The file of the private key.
    package let key: String

    /// The port that redirects plain HTTP; `nil` for none.
    package let redirectPort: Int?

    /// The settings file that was read, for messages; `nil` if there was none.
    package let settingsFile: String?

    /// Reads the settings of TLS, or returns `nil` for plain text.
    ///
    /// - Throws: ``CommandError`` if one is set without the others that it needs, or the two ports are the same.
    static func read(_ reader: SettingReader) throws(CommandError) -> TLSSettings? {
        let (certificate, key) = (try reader.text(.tlsCertificate), try reader.text(.tlsKey))
        let redirectPort = Int(try reader.text(.redirectPort))
        guard certificate.isEmpty == key.isEmpty else {
            let (given, missing) = key.isEmpty ? (Setting.tlsCertificate, Setting.tlsKey) : (.tlsKey, .tlsCertificate)
            throw CommandError.usage(
                "\(given.rawValue) is set without \(missing.rawValue), and TLS needs both; set it by \(reader.waysToSet(missing))."
            )
        }
        guard !certificate.isEmpty else {
            guard redirectPort == nil else {
                throw CommandError.usage(
                    "\(Setting.redirectPort.rawValue) is set, and without a certificate there is no https to redirect to; set one by "
                        + "\(reader.waysToSet(.tlsCertificate)), or let the proxy redirect."
                )
            }
            return nil
        }
        let port = try reader.number(.port)
        guard redirectPort == nil || redirectPort == 0 || redirectPort != port else {
            throw CommandError.usage(
                "\(Setting.redirectPort.rawValue) and \(Setting.port.rawValue) are both \(port); TLS and plain HTTP "
                    + "need a port each. Choose another by \(reader.waysToSet(.redirectPort))."
            )
        }
        return TLSSettings(certificate: certificate, key: key, redirectPort: redirectPort, settingsFile: reader.path)
    }
}
