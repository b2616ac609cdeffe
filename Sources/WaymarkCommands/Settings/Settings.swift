import DeepLinkAuthentication
import DeepLinkCore
import Foundation
import Logging

/// The settings in force: flags, over the environment, over the settings file, over defaults.
struct Settings {
    /// The settings file where none is named.
    static let defaultFile = "Config/service.yaml"

    let host: String
    let port: Int

    /// The most connections at a time.
    let maximumConnections: Int

    /// The most requests that are worked on at a time.
    let maximumRequests: Int

    /// The most bytes of requests that are kept over all connections while their rest is awaited.
    let maximumArrivingByteCount: Int

    /// Where user states and tokens are.
    let database: DatabasePlace

    /// The most users whose level the server remembers.
    let maximumCachedUsers: Int

    /// How long a change of another replica may stay unseen, in seconds.
    let maximumStaleness: Int

    /// For how long levels in memory count while the database is out of reach, in seconds.
    let staleIfError: Int

    /// The part of each user's history that is kept.
    let historyLimits: UserHistoryLimits

    let catalog: String

    /// The file of the signed catalog for apps; `nil` for none.
    let bundle: String?
    let insecureNoAuth: Bool

    /// Whether callers without credentials may resolve links.
    let letsAnonymousResolve: Bool

    /// The most requests a second of each caller; 0 for any number, `nil` where nothing is set.
    let perCallerLimit: Int?

    /// The origins whose pages may read answers, as they are written.
    let crossOrigins: [String]

    /// Whether there is a console.
    let hasConsole: Bool

    /// The hosts of https origins by which the console is answered.
    let consoleHosts: [String]

    /// The time in which the port stays open after SIGTERM, in seconds.
    let drainSeconds: Int

    let logLevel: Logger.Level
    let logFormat: LogFormat

    /// Whether each request is logged; `nil` for where others than this machine can connect.
    let logRequests: Bool?

    /// The file of the resolution log; empty for none.
    let resolutionLogPath: String

    /// The size from which on the resolution log is begun anew.
    let maximumResolutionLogByteCount: Int

    /// The time in which a continuation may be redeemed, in seconds.
    let continuationLifetime: Int

    /// The key that signs continuations; `nil` for the one in a file beside the database.
    let continuationKey: [UInt8]?

    /// The file of the keys that sign links; `nil` for none.
    let signingKeys: String?

    /// Whose tokens end users may bring; `nil` where none are accepted.
    let endUsers: EndUserSettings?

    /// The environment variables that begin like settings and are none, which have no effect.
    let unknownVariables: [String]

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - flags: what the command line sets.
    ///   - configFile: the settings file; without one the default file is read if it exists.
    ///   - environment: the environment variables.
    /// - Throws: ``CommandError`` naming the setting that makes no sense, and how to set it.
    init(
        flags: [Setting: String],
        configFile: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        unknownVariables = try EnvironmentCheck.unknownVariables(of: environment)
        let file = configFile ?? environment["WAYMARK_CONFIG"]
        let written = try SettingsFile.values(of: file ?? Self.defaultFile, isNamed: file != nil)
        let reader = SettingReader(flags: flags, environment: environment, file: written)
        host = try reader.text(.host)
        port = try reader.number(.port)
        maximumConnections = try reader.number(.maximumConnections)
        maximumRequests = try reader.number(.maximumRequests)
        maximumArrivingByteCount = try reader.number(.maximumArrivingMegabytes) << 20
        database = try DatabasePlace(reader.text(.database))
        maximumCachedUsers = try reader.number(.maximumCachedUsers)
        maximumStaleness = try reader.number(.maximumStaleness)
        staleIfError = try reader.number(.staleIfError)
        let historyDays = Int64(try reader.number(.maximumHistoryAge))
        historyLimits = UserHistoryLimits(
            maximumCount: try reader.number(.maximumHistoryCount),
            maximumAge: historyDays == 0 ? nil : historyDays * 86_400_000
        )
        catalog = try reader.text(.catalog)
        let bundle = try reader.text(.bundle)
        self.bundle = bundle.isEmpty ? nil : bundle
        insecureNoAuth = try reader.truth(.insecureNoAuth)
        letsAnonymousResolve = try reader.text(.anonymous).bytewise == "resolve"
        perCallerLimit = Int(try reader.text(.perCallerLimit))
        crossOrigins = Self.words(try reader.text(.crossOrigins))
        hasConsole = try !reader.truth(.consoleDisabled)
        consoleHosts = Self.words(try reader.text(.consoleHosts))
        continuationLifetime = try reader.number(.continuationLifetime)
        continuationKey = try Self.key(reader)
        let signingKeys = try reader.text(.signingKeys)
        self.signingKeys = signingKeys.isEmpty ? nil : signingKeys
        endUsers = try Self.endUsers(reader)
        drainSeconds = try reader.number(.drainSeconds)
        logFormat = try reader.value(.logFormat) { LogFormat(rawValue: $0) }
        logRequests = Bool(try reader.text(.logRequests))
        resolutionLogPath = try reader.text(.resolutionLogPath)
        maximumResolutionLogByteCount = try reader.number(.resolutionLogMegabytes) << 20
        logLevel = try reader.value(.logLevel) { Logger.Level(rawValue: $0) }
    }

    /// Takes a list apart at commas and spaces.
    private static func words(_ text: String) -> [String] {
        text.utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") }.map { String(Substring($0)) }
    }

    /// Reads the key that signs continuations; messages do not repeat it.
    private static func key(_ reader: SettingReader) throws -> [UInt8]? {
        let text = try reader.text(.continuationKey)
        guard !text.isEmpty else { return nil }
        guard let key = Data(base64Encoded: text), key.count >= ContinuationSettings.minimumKeyByteCount else {
            throw CommandError(
                .usage,
                "the continuation key is not \(ContinuationSettings.minimumKeyByteCount) bytes or more in base64; make one with `openssl rand -base64 32` and set "
                    + "it by \(Setting.continuationKey.waysToSet)."
            )
        }
        return Array(key)
    }
}
