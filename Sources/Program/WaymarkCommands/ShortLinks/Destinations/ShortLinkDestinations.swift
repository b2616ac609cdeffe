import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The destinations of short links, found by resolving links with the operator's unlimited access.
struct ShortLinkDestinations: Sendable {
    let catalog: RouteCatalog
    let keys: LinkSigningKeys

    /// Finds the destination of a link.
    ///
    /// - Parameters:
    ///   - text: The link as written.
    ///   - target: The target of a short link, or `nil` for any other link.
    ///   - origin: The contents of that short link, or `nil` for any other link. The new short link expires no later.
    /// - Returns: The destination.
    /// - Throws: ``ShortLinkFault``.
    /// - Complexity: Resolving and building a link.
    func destination(
        of text: String,
        target: LinkTarget? = nil,
        from origin: ShortLinkContents? = nil
    ) throws(ShortLinkFault) -> ShortLinkDestination {
        let link = try parse(text)
        let request = ResolutionRequest(link: link, target: target)
        switch resolve(request, permissions: .all, catalog: catalog) {
        case .failure(let failure): throw .failure(failure, of: link)
        case .denial(let denial): throw .problem(Problem(denial), route: denial.route)
        case .otherApp(let denial): throw .problem(Problem(denial), route: denial.route)
        case .outdated(let update): throw .problem(Problem(update), route: update.route)
        case .plan(let plan):
            do throws(LinkBuildingError) {
                return try ShortLinkDestination(plan, signature: signature(of: plan), from: origin)
            } catch {
                throw .problem(Problem(error), route: plan.stack.last?.route ?? "")
            }
        }
    }

    /// Parses a link.
    ///
    /// - Throws: ``ShortLinkFault``.
    func parse(_ text: String) throws(ShortLinkFault) -> DeepLink {
        do throws(LinkSyntaxError) {
            return try DeepLink(text, rootless: catalog.rootlessSchemes)
        } catch {
            throw .syntax(error)
        }
    }

    /// Returns the signature to store: the link's own, or else one without expiry.
    private func signature(of plan: RoutePlan) -> ShortLinkSignature? {
        guard plan.signature != nil else { return nil }
        return try? ShortLinkDestination.signature(of: plan, by: keys, at: SystemClock.now(), isGiven: true)
    }
}

/// The reason why a link cannot be the destination of a short link.
enum ShortLinkFault: Error {
    /// The text is not a link.
    case syntax(LinkSyntaxError)

    /// The link cannot be resolved.
    case failure(ResolutionError, of: DeepLink)

    /// The link opens a route that short links cannot open.
    case problem(Problem, route: String)

    /// The fault in one or two sentences.
    var message: String {
        switch self {
        case .syntax(let error): error.message
        case .failure(let failure, _): Problem(failure).detail + (failure.hint.map { " " + $0 } ?? "")
        case .problem(let problem, _): problem.detail
        }
    }
}

extension String {
    /// The scheme of a link, and the index of its host after `://`, or `nil` for any other text.
    var authorityStart: (scheme: Substring, start: Index)? {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), utf8[colon...].starts(with: "://".utf8) else {
            return nil
        }
        return (self[..<colon], utf8.index(colon, offsetBy: 3))
    }

    /// The code of a short link, which is its last segment.
    ///
    /// A plain code is unchanged.
    var codeOfShortLink: Substring {
        guard let start = authorityStart?.start else { return self[...] }
        let path = utf8[start...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return path.split(separator: UInt8(ascii: "/")).dropFirst().last.map(Substring.init) ?? ""
    }
}

/// The lookup of short links in a database.
enum FollowedCode {
    /// Returns the target of a short link in a catalog with the contents of the short link, or `nil` for any other
    /// link.
    ///
    /// - Throws: `Problem` of code `unknown-short-link` with the link's state, the problem of a broken link, or an
    ///   error of the store.
    static func followed(
        _ link: DeepLink,
        in catalog: RouteCatalog,
        store: any ShortLinkStore
    ) async throws -> (target: LinkTarget, contents: ShortLinkContents)? {
        guard let place = catalog.shortLinkPlace(in: link) else { return nil }
        guard let code = place.code.flatMap({ ShortLinkCode($0) }),
            let stored = try await store.storedLink(for: code)
        else { throw Problem.unknownShortLink() }
        let state = ShortLinkState(of: stored.contents, at: SystemClock.now(), in: catalog)
        switch state {
        case .working(let target):
            return (LinkTarget(target, isSigned: stored.contents.signature != nil), stored.contents)
        case .broken(let problem): throw problem
        case .expired, .withdrawn: throw Problem.unknownShortLink(state: state.name)
        }
    }
}
