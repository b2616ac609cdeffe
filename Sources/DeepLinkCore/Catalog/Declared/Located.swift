/// A declared value with the place that declares it, so that a fault can point there.
public struct Located<Value: Sendable>: Sendable {
    /// What is declared.
    public let value: Value

    /// The place where it is declared.
    public let location: SourceLocation

    /// Pairs a value with its place.
    public init(_ value: Value, at location: SourceLocation) {
        self.value = value
        self.location = location
    }
}

extension Located: Equatable where Value: Equatable {}
