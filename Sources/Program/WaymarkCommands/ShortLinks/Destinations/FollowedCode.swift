import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The code of a short link, followed in a database.
enum FollowedCode {
    /// Returns the link that the code of a short link stands for by a catalog; `nil` for any other link.
    ///
    /// - Throws: As ``followed(_:in:store:)`` does.
    static func target(
        of link: DeepLink,
        in catalog: RouteCatalog,
        store: any ShortLinkStore
    ) async throws -> LinkTarget? {
        try await followed(link, in: catalog, store: store)?.target
    }

    /// Returns the link that the code of a short link stands for by a catalog, with the contents of the short link; `nil`
    /// for any other link.
    ///
    /// - Throws: `Problem` of code `unknown-short-link` with the link's state, or that of a broken link; an error of the store.
    static func followed(
        _ link: DeepLink,
        in catalog: RouteCatalog,
        store: any ShortLinkStore
    ) async throws -> (target: LinkTarget, contents: ShortLinkContents)? {
        guard let place = catalog.shortLinkPlace(in: link) else { return nil }
        guard let code = place.code.flatMap({ ShortLinkCode($0) }),
            let stored = try await store.storedLink(for: code)
        else { throw Problem.unknownShortLink() }
        let state = ShortLinkState(of: stored.contents, at: Clock.now(), in: catalog)
        switch state {
        case .working(let target):
            return (LinkTarget(target, isSigned: stored.contents.signature != nil), stored.contents)
        case .broken(let problem): throw problem
        case .expired, .withdrawn: throw Problem.unknownShortLink(state: state.name)
        }
    }
}
