import Configuration
import DeepLinkAuthentication
import DeepLinkCore
import Foundation
import Logging

/// The settings in force: flags, over the environment, over the settings file, over defaults.
struct Settings {
    private static let defaultFile = "Config/service.yaml"

    let host: String
    let port: Int

    /// The most connections at a time.
    let maximumConnections: Int

    /// The most requests that are worked on at a time.
    let maximumRequests: Int

    /// The most bytes of requests that are kept over all connections while their rest is awaited.
    let maximumArrivingByteCount: Int

    let database: String

    /// Of how many users the server remembers the level.
    let maximumCachedUsers: Int

    /// How much of each user's history is kept.
    let historyLimits: UserHistoryLimits

    let catalog: String
    let insecureNoAuth: Bool
    let logLevel: Logger.Level

    /// How long a continuation may be redeemed, in seconds.
    let continuationLifetime: Int

    /// The key that signs continuations; `nil` for the one in a file beside the database.
    let continuationKey: [UInt8]?

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
        flags: [SettingKey: String],
        configFile: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        let file = configFile ?? environment["WAYMARK_CONFIG"]
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: Self.values(flags)),
            EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "waymark"),
        ]
        unknownVariables = try EnvironmentCheck.unknownVariables(of: environment)
        let written = try SettingsFile.values(of: file ?? Self.defaultFile, isNamed: file != nil)
        providers.append(InMemoryProvider(name: "file", values: Self.values(written)))
        let defaults = Dictionary(uniqueKeysWithValues: SettingKey.allCases.map { ($0, $0.defaultValue) })
        providers.append(InMemoryProvider(name: "defaults", values: Self.values(defaults)))
        let reader = ConfigReader(providers: providers)
        host = try Self.text(.host, reader)
        port = try Self.parse(.port, reader, "a port from 0 to 65535") { UInt16($0).map(Int.init) }
        maximumConnections = try Self.count(.maximumConnections, reader)
        maximumRequests = try Self.count(.maximumRequests, reader)
        maximumArrivingByteCount =
            try Self.parse(.maximumArrivingMegabytes, reader, "a number of MiB from 1 to 65536") {
                Int($0).flatMap { (1...65_536).contains($0) ? $0 : nil }
            } << 20
        database = try Self.text(.database, reader)
        maximumCachedUsers = try Self.parse(.maximumCachedUsers, reader, "a number from 0 to 10000000") {
            Int($0).flatMap { (0...10_000_000).contains($0) ? $0 : nil }
        }
        historyLimits = try Self.historyLimits(reader)
        catalog = try Self.text(.catalog, reader)
        insecureNoAuth = try Self.parse(.insecureNoAuth, reader, "true or false") { Bool($0) }
        let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
        continuationLifetime = try Self.parse(.continuationLifetime, reader, "a number of seconds from 1 to 86400") {
            Int($0).flatMap { (1...86_400).contains($0) ? $0 : nil }
        }
        continuationKey = try Self.key(reader)
        endUsers = try Self.endUsers(reader)
        logLevel = try Self.parse(.logLevel, reader, "one of \(levels)") { Logger.Level(rawValue: $0) }
    }

    private static func historyLimits(_ reader: ConfigReader) throws -> UserHistoryLimits {
        let count = try parse(.maximumHistoryCount, reader, "a number from 1 to 1000000") {
            Int($0).flatMap { (1...1_000_000).contains($0) ? $0 : nil }
        }
        let days = try parse(.maximumHistoryAge, reader, "a number of days from 0, for no limit, to 36500") {
            Int64($0).flatMap { (0...36_500).contains($0) ? $0 : nil }
        }
        return UserHistoryLimits(maximumCount: count, maximumAge: days == 0 ? nil : days * 86_400_000)
    }

    /// Reads the key that signs continuations; messages do not repeat it.
    private static func key(_ reader: ConfigReader) throws -> [UInt8]? {
        let text = reader.string(forKey: ConfigKey(SettingKey.continuationKey.rawValue)) ?? ""
        guard !text.isEmpty else { return nil }
        guard let key = Data(base64Encoded: text), key.count >= ContinuationSettings.minimumKeyByteCount else {
            throw CommandError(
                .usage,
                "the continuation key is not 32 bytes or more in base64; make one with `openssl rand -base64 32` and set "
                    + "it by \(SettingKey.continuationKey.waysToSet)."
            )
        }
        return Array(key)
    }

    private static func values(_ settings: [SettingKey: String]) -> [AbsoluteConfigKey: ConfigValue] {
        Dictionary(
            uniqueKeysWithValues: settings.map { key, value in
                (AbsoluteConfigKey(ConfigKey(key.rawValue)), ConfigValue(.string(value), isSecret: false))
            }
        )
    }

    private static func text(_ key: SettingKey, _ reader: ConfigReader) throws -> String {
        try parse(key, reader, "a text") { $0.isEmpty ? nil : $0 }
    }

    private static func count(_ key: SettingKey, _ reader: ConfigReader) throws -> Int {
        try parse(key, reader, "a number from 1 to 100000") {
            Int($0).flatMap { (1...100_000).contains($0) ? $0 : nil }
        }
    }

    static func parse<Value>(
        _ key: SettingKey,
        _ reader: ConfigReader,
        _ expectation: String,
        _ parse: (String) -> Value?
    ) throws -> Value {
        // A number or truth value in the settings file is no string to the library.
        let name = ConfigKey(key.rawValue)
        let text =
            reader.string(forKey: name) ?? reader.int(forKey: name).map(String.init)
            ?? reader.bool(forKey: name).map(String.init) ?? ""
        guard let value = parse(text) else {
            throw CommandError(.usage, "\(key.rawValue) is `\(text)`; set \(expectation) by \(key.waysToSet).")
        }
        return value
    }
}
