import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkShortLinks
import DeepLinkUsers

/// The destination of a short link that is to be made, resolved by the catalog, with the terms that it imposes.
struct ResolvedShortLink {
    /// The fewest characters of a code that stands for a signature.
    static let signedLength = 16

    /// The destination as it is stored.
    let target: ShortLinkTarget

    /// The signature that the code will stand for; `nil` for none.
    let signature: ShortLinkSignature?

    /// The terms of the route on top.
    let terms: ShortLinkTerms

    /// Resolves a destination.
    ///
    /// - Parameters:
    ///   - link: a link to the destination.
    ///   - permissions: the permissions of the caller; those of a service are all.
    ///   - resolver: the keys and the short links: a link may name another code, and then that one's target is stored.
    ///   - call: the request.
    /// - Throws: the `Problem` that resolving the link is answered with.
    init(
        _ link: DeepLink,
        for permissions: Permissions,
        by resolver: LinkResolver,
        in call: EndpointRequest
    ) async throws(Problem) {
        let catalog = call.catalog
        var followed: FollowedShortLink?
        if let place = catalog.shortLinkPlace(in: link), let shortLinks = resolver.shortLinks {
            followed = try await shortLinks.followed(place, by: call.caller, in: catalog)
        }
        let request = ResolutionRequest(link: link, target: followed?.target)
        let plan = try resolve(request, permissions: permissions, catalog: catalog).plan()
        signature = try Self.signature(of: plan, following: followed, by: resolver, for: call.caller)
        let stack = plan.stack
        do throws(LinkBuildingError) {
            target = ShortLinkTarget(stack: stack, text: try DeepLinkCore.link(to: stack, catalog: catalog))
        } catch {
            throw Problem(error)
        }
        terms = plan.topEdge.flatMap { catalog.routes[$0.child].shortLink } ?? ShortLinkTerms()
    }

    /// The fewest characters of the code; `nil` for any.
    var length: Int? {
        let lengths = [terms.length, signature == nil ? nil : Self.signedLength].compactMap(\.self)
        return lengths.max()
    }

    /// Returns the code of a write.
    ///
    /// - Throws: `Problem` of code `invalid-request`, if the code is too short.
    func code(_ given: ShortLinkCode?) throws(Problem) -> ShortLinkWrite.Code {
        guard let given else { return .drawn(count: max(length ?? 0, ShortLinkCode.drawnCount)) }
        if let length, given.text.utf8.count < length {
            throw RequestedShortLink.invalid("code", "A code to this route has at least \(length) characters.")
        }
        return .given(given, kind: .given)
    }

    /// Returns the end of the link.
    ///
    /// - Throws: `Problem` of code `invalid-request`, if the end that is asked for has come, or is too late.
    func end(_ given: Timestamp?, at time: Timestamp) throws(Problem) -> Timestamp? {
        let life = terms.life.map {
            Timestamp(millisecondsSinceEpoch: time.millisecondsSinceEpoch + Int64($0.seconds) * 1000)
        }
        let latest = [life, signature?.end].compactMap(\.self).min()
        guard let given else { return latest }
        guard given > time else {
            throw RequestedShortLink.invalid("expires", "`expires` is \(given.rfc3339), which has passed.")
        }
        if let latest, given > latest {
            throw RequestedShortLink.invalid(
                "expires",
                "`expires` is \(given.rfc3339); a link to this destination ends by \(latest.rfc3339)."
            )
        }
        return given
    }

    /// Returns the signature that the code of a plan's link stands for: an admin gives it, or the link has a valid one.
    private static func signature(
        of plan: RoutePlan,
        following followed: FollowedShortLink?,
        by resolver: LinkResolver,
        for caller: Caller
    ) throws(Problem) -> ShortLinkSignature? {
        guard let demand = plan.signature else { return nil }
        if let signature = followed?.link.contents.signature { return signature }
        do throws(Problem) {
            try resolver.signingKeys.verify(demand, at: resolver.now())
        } catch {
            guard caller.isAdmin else { throw error }
            return ShortLinkSignature(end: nil)
        }
        let end = demand.expiries.first.flatMap(\.self).flatMap { Int64($0) }
        return ShortLinkSignature(end: end.map { Timestamp(millisecondsSinceEpoch: $0 * 1000) })
    }
}
