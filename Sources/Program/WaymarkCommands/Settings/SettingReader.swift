import Configuration
import DeepLinkCore
import DeepLinkFormats

/// A reader of settings, in order of precedence from flags, the environment, the settings file and defaults.
struct SettingReader {
    private let reader: ConfigReader

    /// The settings file, or `nil` if there is none.
    let path: String?

    /// Creates a reader of the sources, in order of precedence.
    init(flags: [Setting: String], environment: [String: String], file: [Setting: String], path: String? = nil) {
        self.path = path
        let defaults = Dictionary(uniqueKeysWithValues: Setting.allCases.map { ($0, $0.definition.defaultValue) })
        reader = ConfigReader(
            providers: [
                InMemoryProvider(name: "flags", values: Self.values(flags)),
                EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "waymark"),
                InMemoryProvider(name: "file", values: Self.values(file)),
                InMemoryProvider(name: "defaults", values: Self.values(defaults)),
            ]
        )
    }

    private static func values(_ settings: [Setting: String]) -> [AbsoluteConfigKey: ConfigValue] {
        Dictionary(
            uniqueKeysWithValues: settings.map { setting, value in
                (AbsoluteConfigKey(ConfigKey(setting.rawValue)), ConfigValue(.string(value), isSecret: false))
            }
        )
    }

    /// Returns the ways to change a setting, for messages.
    func waysToSet(_ setting: Setting) -> String { setting.waysToSet(in: path) }

    /// The name of the settings file for messages.
    var nameOfFile: String { Setting.nameOfFile(path) }

    /// Returns the error of a setting that has no effect without another one.
    func missing(_ missing: Setting, beside given: Setting, so effect: String) -> CommandError {
        CommandError.usage(
            "\(given.rawValue) is set and \(missing.rawValue) is not, so \(effect); set it by \(waysToSet(missing))."
        )
    }

    /// Reads a text.
    func text(_ setting: Setting) throws(CommandError) -> String { try value(setting) { $0 } }

    /// Reads an integer.
    func number(_ setting: Setting) throws(CommandError) -> Int { try value(setting) { Int($0) } }

    /// Reads a Boolean.
    func truth(_ setting: Setting) throws(CommandError) -> Bool { try value(setting) { Bool($0) } }

    /// Reads a value of another type.
    ///
    /// - Throws: ``CommandError`` of code 64 if the text isn't an allowed value of the setting, or the body returns
    ///   `nil`.
    func value<Value>(_ setting: Setting, parse: (String) -> Value?) throws(CommandError) -> Value {
        let text = reader.string(forKey: ConfigKey(setting.rawValue)) ?? ""
        let values = setting.definition.values
        guard values.contains(text), let value = parse(text) else {
            throw CommandError.usage(
                "\(setting.rawValue) is `\(text)`; set \(values.expectation) by \(waysToSet(setting))."
            )
        }
        return value
    }
}

extension SettingReader {
    /// Reads the values that a setting maps from the values of a claim.
    ///
    /// - Parameters:
    ///   - setting: The setting.
    ///   - text: Its text.
    ///   - example: A valid text, for messages.
    ///   - noun: The noun for a value.
    ///   - form: The sentence about valid values, for messages.
    ///   - read: Reads a value by its name, or returns `nil` for an invalid name.
    /// - Returns: The values by the values of the claim.
    /// - Throws: ``CommandError`` for a part that isn't a pair, and for an invalid name.
    func claimed<Value>(
        _ setting: Setting,
        _ text: String,
        example: String,
        noun: String,
        form: String,
        read: (String) -> Value?
    ) throws(CommandError) -> [ByteText: Value] {
        let pairs: SettingPairs
        do throws(SettingPairs.NoPair) {
            pairs = try SettingPairs(text, dividedAt: .last)
        } catch {
            throw CommandError.usage(
                "\(setting.rawValue) has `\(error.text)`, which isn't a pair; write `\(example)`, or a "
                    + "mapping in \(nameOfFile)."
            )
        }
        var values: [ByteText: Value] = [:]
        for (value, name) in pairs.all {
            guard let known = read(name) else {
                throw CommandError.usage("\(setting.rawValue) gives `\(value)` the \(noun) `\(name)`; \(form).")
            }
            values[value.bytewise] = known
        }
        return values
    }
}

/// The pairs of a setting that is a mapping: a JSON object made from a mapping of the settings file, or `a=b,c=d`.
struct SettingPairs {
    /// The occurrence of the equals sign that separates name and value.
    enum Sign {
        /// The first one: the value may contain others, as base64 does.
        case first

        /// The last one: the name may contain others.
        case last
    }

    /// The error for a part that isn't a pair.
    struct NoPair: Error {
        let text: String
    }

    /// The pairs in their order.
    let all: [(name: String, value: String)]

    /// Reads the pairs.
    ///
    /// - Throws: ``NoPair`` for the first part without a sign.
    init(_ text: String, dividedAt sign: Sign) throws(NoPair) {
        if text.utf8.first == UInt8(ascii: "{"), case .object(let object)? = try? JSONParser.parse(Array(text.utf8)) {
            all = object.map { ($0.name.string, $0.value.text ?? "") }
            return
        }
        var pairs: [(String, String)] = []
        for part in text.utf8.split(separator: UInt8(ascii: ",")) {
            let byte = UInt8(ascii: "=")
            guard let place = sign == .first ? part.firstIndex(of: byte) : part.lastIndex(of: byte) else {
                throw NoPair(text: String(Substring(part)))
            }
            pairs.append((ASCIISpaces.trimmed(part[..<place]), ASCIISpaces.trimmed(part[part.index(after: place)...])))
        }
        all = pairs
    }
}

extension JSONValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
