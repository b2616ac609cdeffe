/// Asks what a link means; the user's level and the catalog stand beside it.
public struct ResolutionRequest: Hashable, Sendable {
    /// The link to resolve.
    public let link: DeepLink

    /// Creates a request for a link.
    public init(link: DeepLink) {
        self.link = link
    }
}
