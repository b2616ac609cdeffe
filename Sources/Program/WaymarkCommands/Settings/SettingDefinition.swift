import DeepLinkCore

/// A row of the table of settings, with all properties of a setting but its key and its summary.
struct SettingDefinition {
    /// The allowed values of a setting.
    enum Values {
        /// Any nonempty text.
        case text

        /// Any text, or an empty one if not set.
        case optionalText

        /// A number, and its description with an article.
        case number(ClosedRange<Int>, String)

        /// The same, or an empty text if not set.
        case optionalNumber(ClosedRange<Int>, String)

        /// Strings: a list in the settings file, separated by commas elsewhere, or an empty text if not set.
        case list

        /// Pairs of strings: a mapping in the settings file, `a=b,c=d` elsewhere, or an empty text if not set.
        case pairs

        /// `true` or `false`.
        case truth

        /// `true` or `false`, or an empty text if it depends on other settings.
        case optionalTruth

        /// One of the given words.
        case choice([String])

        /// The bounds or words for help and documentation, or `nil` for any text.
        var bounds: String? {
            switch self {
            case .text, .optionalText, .list, .pairs: nil
            case .number(let range, _), .optionalNumber(let range, _): "\(range.lowerBound) to \(range.upperBound)"
            case .truth, .optionalTruth: "true or false"
            case .choice(let words): words.dropLast().joined(separator: ", ") + (words.last.map { " or \($0)" } ?? "")
            }
        }

        /// The allowed values, for messages about an invalid one.
        var expectation: String {
            switch self {
            case .text, .optionalText: "a text"
            case .list: "texts with commas between"
            case .pairs: "pairs such as `a=b,c=d`"
            case .number(let range, let name), .optionalNumber(let range, let name):
                "\(name) from \(range.lowerBound) to \(range.upperBound)"
            case .truth, .optionalTruth: "true or false"
            case .choice: "one of \(bounds ?? "")"
            }
        }

        /// Returns whether a text is an allowed value.
        func contains(_ text: String) -> Bool {
            switch self {
            case .text: !text.isEmpty
            case .optionalText, .list, .pairs: true
            case .optionalNumber(let range, _): text.isEmpty || Int(text).map(range.contains) ?? false
            case .number(let range, _): Int(text).map(range.contains) ?? false
            case .truth: Bool(text) != nil
            case .optionalTruth: text.isEmpty || Bool(text) != nil
            case .choice(let words): words.contains { $0.bytewise == text.bytewise }
            }
        }
    }

    /// The name of the command-line flag, without hyphens, or `nil` for a secret.
    let flag: String?

    /// The allowed values of the setting.
    let values: Values

    /// The name of a value in `--help`, or `nil` for the flag's name.
    let valueName: String?

    /// The default value, or an empty text if there is none.
    let defaultValue: String

    /// Creates a row of the table of settings.
    init(flag: String?, _ values: Values, of valueName: String? = nil, default: String = "") {
        self.flag = flag
        self.values = values
        self.valueName = valueName
        defaultValue = `default`
    }

    /// Creates the row of a setting in seconds.
    init(flag: String, seconds range: ClosedRange<Int>, default: String) {
        self.init(flag: flag, .number(range, "a number of seconds"), of: "seconds", default: `default`)
    }

    /// Creates the row of a setting in MiB.
    init(flag: String, megabytes range: ClosedRange<Int>, default: String) {
        self.init(flag: flag, .number(range, "a number of MiB"), of: "MiB", default: `default`)
    }

    /// Creates the row of a number of things.
    init(flag: String, count range: ClosedRange<Int>, of things: String? = nil, default: String) {
        let name = "a number" + (things.map { " of \($0)" } ?? "")
        self.init(flag: flag, .number(range, name), of: "count", default: `default`)
    }
}

extension Setting {
    /// The command-line flag with its hyphens, or `nil` for a secret.
    var flag: String? { definition.flag.map { "--" + $0 } }

    /// The environment variable that the library derives from the key: `http.maximumRequests` is
    /// `WAYMARK_HTTP_MAXIMUM_REQUESTS`.
    var variable: String {
        var name = "WAYMARK_"
        var isAfterSmallLetter = false
        for byte in rawValue.utf8 {
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            if isCapital, isAfterSmallLetter { name += "_" }
            name += byte == UInt8(ascii: ".") ? "_" : String(UnicodeScalar(byte)).uppercased()
            isAfterSmallLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        }
        return name
    }

    /// Returns the ways to change the setting, for messages that name the settings file if there is one.
    package func waysToSet(in file: String? = nil) -> String {
        let flag = flag.map { $0 + ", " } ?? ""
        return "\(flag)\(variable) or \(rawValue) in \(Self.nameOfFile(file))"
    }

    /// Returns the name of the settings file for messages, with its path if one was read.
    static func nameOfFile(_ path: String?) -> String {
        "the settings file" + (path.map { " \($0)" } ?? "")
    }

    /// The text of `--help`.
    var help: String {
        var sentences = [summary]
        if case .truth = definition.values {
            sentences.append("Environment: \(variable).")
        } else {
            if let bounds = definition.values.bounds { sentences.append("Values: \(bounds).") }
            sentences.append("Environment: \(variable).")
            if !definition.defaultValue.isEmpty { sentences.append("Default: \(definition.defaultValue).") }
        }
        return sentences.joined(separator: " ")
    }
}
