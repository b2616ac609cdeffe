import DeepLinkCore

extension Workspace {
    /// Loads a catalog that has short links, and the keys of signed links.
    ///
    /// - Throws: ``CommandError`` if the catalog cannot be loaded, or has no origin of short links.
    func shortLinkDestinations() throws -> ShortLinkDestinations {
        let catalog = try catalog()
        guard catalog.hasShortLinks else {
            throw CommandError(
                .no,
                message: "the catalog has no origin of short links. Add one to `origins`: "
                    + "{ scheme: https, hosts: [go.example.com], shortLinks: true }."
            )
        }
        return ShortLinkDestinations(catalog: catalog, keys: try signingKeys(for: catalog))
    }
}
