/// The value of one parameter of a destination, in its type.
///
/// `uuid`, `date`, `dateTime` and `enum` values are texts here, as they are in answers to clients.
package enum ParameterValue: Hashable, Sendable {
    /// A text, a UUID in lower case, a date, a date-time, or a word of an enumeration.
    case string(String)

    /// A whole number.
    case int(Int64)

    /// A finite decimal number.
    case double(Double)

    /// A Boolean.
    case bool(Bool)

    /// Several values of one type, in the order of the link.
    case list([ParameterValue])

    /// Named parts, in the order that the catalog declares, without absent optional ones.
    case object([BoundParameter])

    /// The value in readable form and, for a single value, its text in a link before percent-encoding.
    ///
    /// Parsing a single value's text with the parameter's type gives an equal value.
    package var text: String {
        switch self {
        case .string(let text): text
        case .int(let number): String(number)
        case .double(let number): DecimalText.print(number)
        case .bool(let flag): flag ? "true" : "false"
        case .list(let items): "[" + items.map { $0.text }.joined(separator: ", ") + "]"
        case .object(let fields): "{" + fields.map { "\($0.name): \($0.value.text)" }.joined(separator: ", ") + "}"
        }
    }

    /// Compares numbers by value and texts by their bytes, so that two spellings of `é` differ.
    package static func == (left: ParameterValue, right: ParameterValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): left.bytewise == right.bytewise
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.bool(let left), .bool(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes numbers by value and texts by their bytes.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .string(let text): hasher.combine(text.bytewise)
        case .int(let number): hasher.combine(number)
        case .double(let number): hasher.combine(number)
        case .bool(let flag): hasher.combine(flag)
        case .list(let items): hasher.combine(items)
        case .object(let fields): hasher.combine(fields)
        }
    }
}

/// One parameter of a destination with its value.
package struct BoundParameter: Hashable, Sendable {
    /// The parameter's name.
    package let name: String

    /// The value, of the type that the catalog declares.
    package let value: ParameterValue

    /// Creates a bound parameter from its parts.
    package init(name: String, value: ParameterValue) {
        self.name = name
        self.value = value
    }

    /// Compares the names byte by byte, and the values.
    package static func == (left: BoundParameter, right: BoundParameter) -> Bool {
        left.name.bytewise == right.name.bytewise && left.value == right.value
    }

    /// Hashes the names byte by byte, and the values.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(name.bytewise)
        hasher.combine(value)
    }
}
