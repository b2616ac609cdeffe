/// A declared value with its location, to which an issue can point.
package struct Located<Value: Sendable>: Sendable {
    /// The declared value.
    package let value: Value

    /// The location of the declaration.
    package let location: SourceLocation

    /// Creates a located value from its parts.
    package init(_ value: Value, at location: SourceLocation) {
        self.value = value
        self.location = location
    }
}

extension Located: Equatable where Value: Equatable {}
