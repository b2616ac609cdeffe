package import DeepLinkCore

extension Identifier: ExpressibleByStringInterpolation {
    /// Takes a literal of a test for a name.
    public init(stringLiteral value: String) {
        guard let name = Identifier(value) else { preconditionFailure("`\(value)` is no name") }
        self = name
    }
}
