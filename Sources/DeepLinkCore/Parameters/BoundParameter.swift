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
