/// One parameter of a destination with its value.
public struct BoundParameter: Hashable, Sendable {
    /// The parameter's name.
    public let name: String

    /// The value, typed as the catalog says.
    public let value: ParameterValue

    /// Creates a bound parameter from its parts.
    public init(name: String, value: ParameterValue) {
        self.name = name
        self.value = value
    }

    /// Compares the names byte by byte, and the values.
    public static func == (left: BoundParameter, right: BoundParameter) -> Bool {
        left.name.bytewise == right.name.bytewise && left.value == right.value
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name.bytewise)
        hasher.combine(value)
    }
}
