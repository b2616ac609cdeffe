import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

extension ShortLinkDestination {
    /// Resolves the destination of a short link for the caller that creates it.
    ///
    /// - Parameters:
    ///   - link: a link to the destination.
    ///   - permissions: the permissions of the caller, or all for a service.
    ///   - resolver: the keys and the short links. If the link contains another code, that code's target is stored. Its
    ///     signature is kept, except for end users, and its expiry limits the new link's.
    ///   - call: the request.
    /// - Throws: the `Problem` of resolving the link.
    init(
        _ link: DeepLink,
        for permissions: Permissions,
        by resolver: LinkResolver,
        in call: EndpointRequest
    ) async throws(Problem) {
        let catalog = call.catalog
        var followed: FollowedShortLink?
        if let place = catalog.shortLinkPlace(in: link), let shortLinks = resolver.shortLinks {
            followed = try await shortLinks.followed(place, by: call.caller, in: catalog).get()
        }
        let request = ResolutionRequest(link: link, target: followed?.target)
        let plan = try resolve(request, permissions: permissions, catalog: catalog).plan()
        let signature: ShortLinkSignature?
        if plan.signature != nil, !call.caller.isEndUser, let followed = followed?.link.contents.signature {
            signature = followed
        } else {
            let isAdmin = call.caller.isAdmin
            signature = try Self.signature(of: plan, by: resolver.signingKeys, at: resolver.now(), isGiven: isAdmin)
        }
        do throws(LinkBuildingError) {
            try self.init(plan, signature: signature, from: followed?.link.contents)
        } catch {
            throw Problem(error)
        }
    }
}
