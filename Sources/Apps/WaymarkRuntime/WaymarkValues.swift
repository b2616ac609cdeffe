// Waymark's runtime: values of parameters. Standard library only.

/// Any JSON value, for data that this version of an app doesn't know.
public nonisolated enum WaymarkJSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([WaymarkJSON])
    case object([String: WaymarkJSON])
}

nonisolated extension WaymarkJSON: Codable {
    /// Reads the value from JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .int(number)
        } else if let number = try? container.decode(Double.self) {
            self = .double(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let items = try? container.decode([WaymarkJSON].self) {
            self = .array(items)
        } else {
            self = .object(try container.decode([String: WaymarkJSON].self))
        }
    }

    /// Writes the value as it was sent.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .int(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let items): try container.encode(items)
        case .object(let members): try container.encode(members)
        }
    }
}

/// A value that a parameter can have.
public nonisolated protocol WaymarkParameterValue: Hashable, Sendable {
    /// Reads the value, or returns `nil` if it is of another kind.
    init?(json: WaymarkJSON)

    /// The value in JSON.
    var json: WaymarkJSON { get }
}

nonisolated extension WaymarkJSON: WaymarkParameterValue {
    /// Returns the value itself, and never `nil`.
    public init?(json: WaymarkJSON) { self = json }

    /// The value in JSON.
    public var json: WaymarkJSON { self }
}

nonisolated extension String: WaymarkParameterValue {
    /// Reads a string, or returns `nil` for any other value.
    public init?(json: WaymarkJSON) {
        guard case .string(let text) = json else { return nil }
        self = text
    }

    /// The string in JSON.
    public var json: WaymarkJSON { .string(self) }
}

nonisolated extension Int: WaymarkParameterValue {
    /// Reads an integer, or returns `nil` for any other value.
    public init?(json: WaymarkJSON) {
        guard case .int(let number) = json else { return nil }
        self = number
    }

    /// The integer in JSON.
    public var json: WaymarkJSON { .int(self) }
}

nonisolated extension Double: WaymarkParameterValue {
    /// Reads a number, or returns `nil` for any other value.
    public init?(json: WaymarkJSON) {
        switch json {
        case .double(let number): self = number
        case .int(let number): self = Double(number)
        default: return nil
        }
    }

    /// The number in JSON, without a fraction if it is integral, as servers write it.
    public var json: WaymarkJSON { Int(exactly: self).map { .int($0) } ?? .double(self) }
}

nonisolated extension Bool: WaymarkParameterValue {
    /// Reads a Boolean, or returns `nil` for any other value.
    public init?(json: WaymarkJSON) {
        guard case .bool(let flag) = json else { return nil }
        self = flag
    }

    /// The Boolean in JSON.
    public var json: WaymarkJSON { .bool(self) }
}

nonisolated extension Array: WaymarkParameterValue where Element: WaymarkParameterValue {
    /// Reads a list, or returns `nil` for any other value and for lists with other elements.
    public init?(json: WaymarkJSON) {
        guard case .array(let items) = json else { return nil }
        let values = items.compactMap(Element.init(json:))
        guard values.count == items.count else { return nil }
        self = values
    }

    /// The list in JSON.
    public var json: WaymarkJSON { .array(map(\.json)) }
}

nonisolated extension RawRepresentable where Self: WaymarkParameterValue, RawValue == String {
    /// Reads a word, or returns `nil` for a word that this version of the app doesn't know.
    public init?(json: WaymarkJSON) {
        guard case .string(let word) = json else { return nil }
        self.init(rawValue: word)
    }

    /// The word in JSON.
    public var json: WaymarkJSON { .string(rawValue) }
}

/// A UUID as Waymark writes it, in lower case.
public nonisolated struct WaymarkUUID: RawRepresentable, WaymarkParameterValue {
    /// The UUID in lower case.
    public let rawValue: String

    /// Creates a value from a text, without validating it.
    public init(rawValue: String) { self.rawValue = rawValue.lowercased() }

    /// Creates a value from a text, without validating it.
    public init(_ text: String) { self.init(rawValue: text) }
}

/// A day as `YYYY-MM-DD`.
public nonisolated struct WaymarkDate: RawRepresentable, WaymarkParameterValue {
    /// The day as sent.
    public let rawValue: String

    /// Creates a value from a text, without validating it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a value from a text, without validating it.
    public init(_ text: String) { rawValue = text }
}

/// A date and time as in RFC 3339.
public nonisolated struct WaymarkDateTime: RawRepresentable, WaymarkParameterValue {
    /// The date and time as sent.
    public let rawValue: String

    /// Creates a value from a text, without validating it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a value from a text, without validating it.
    public init(_ text: String) { rawValue = text }
}

/// The error of a parameter that is missing, or whose kind or word this version of the app doesn't know.
public nonisolated struct ParameterError: Error, Hashable {
    /// The name of the parameter.
    public let name: String
}

/// The parameters of one destination, by name, as sent.
public nonisolated struct ParameterContainer: Hashable, Sendable {
    /// The JSON values by parameter name.
    public var values: [String: WaymarkJSON]

    /// Creates a container of values.
    public init(_ values: [String: WaymarkJSON] = [:]) { self.values = values }

    /// Reads a value that every plan has.
    public func value<Value: WaymarkParameterValue>(_ name: String) throws(ParameterError) -> Value {
        guard let json = values[name], let value = Value(json: json) else { throw ParameterError(name: name) }
        return value
    }

    /// Reads a value that a plan may omit.
    public func optional<Value: WaymarkParameterValue>(_ name: String) throws(ParameterError) -> Value? {
        guard values[name] != nil else { return nil }
        return try value(name) as Value
    }

    /// Adds a value, unless it is `nil`.
    public mutating func set(_ name: String, _ value: (some WaymarkParameterValue)?) {
        if let value { values[name] = value.json }
    }
}

nonisolated extension ParameterContainer: Codable {
    /// Reads the values from JSON.
    public init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([String: WaymarkJSON].self)
    }

    /// Writes the values as they were sent.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }
}
