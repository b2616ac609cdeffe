/// Declares one edge: the route that is opened, and how.
public struct EdgeDefinition: Sendable {
    /// The name of the route that is opened.
    public let route: Located<String>

    /// How it appears.
    public let presentation: Presentation

    /// Whether the parent shows this child when the link does not say otherwise.
    public let isInitial: Bool

    /// Creates a declaration from its parts.
    public init(route: Located<String>, presentation: Presentation, isInitial: Bool = false) {
        self.route = route
        self.presentation = presentation
        self.isInitial = isInitial
    }
}
