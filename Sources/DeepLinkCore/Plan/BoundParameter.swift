/// Gives one parameter of a destination its value.
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
}
