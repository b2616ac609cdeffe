/// Declares one typed parameter of a route.
///
/// A parameter whose name stands in the path pattern is read from the path; any other from the query key
/// ``key``.
public struct Parameter: Hashable, Sendable {
    /// The name under which clients receive the value.
    public let name: String

    /// What texts are accepted.
    public let type: ParameterType

    /// The query key that holds the value, unless the path does.
    public let key: String

    /// Whether a link without the key is refused.
    public let isRequired: Bool

    /// The value of a link without the key.
    public let defaultValue: ParameterValue?

    /// Creates a parameter from its parts.
    public init(
        name: String,
        type: ParameterType,
        key: String? = nil,
        isRequired: Bool = false,
        defaultValue: ParameterValue? = nil
    ) {
        self.name = name
        self.type = type
        self.key = key ?? name
        self.isRequired = isRequired
        self.defaultValue = defaultValue
    }

    /// Tells whether a text may name a parameter: letters, digits, `_`, `-` and `.`, not empty.
    public static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x5F || byte == ASCII.minus || byte == ASCII.dot
            }
    }
}
