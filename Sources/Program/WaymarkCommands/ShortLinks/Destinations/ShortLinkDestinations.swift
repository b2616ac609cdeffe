import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The destinations of short links, found by resolving links for the operator, who may go everywhere.
struct ShortLinkDestinations: Sendable {
    /// The catalog that resolves links.
    let catalog: RouteCatalog

    /// The keys of signed links.
    let keys: LinkSigningKeys

    /// Finds the destination of a link.
    ///
    /// - Parameters:
    ///   - text: The link as written.
    ///   - target: The link that a code stands for, if the link is one; `nil` for any other.
    ///   - origin: The contents of that code's short link, which the new one doesn't outlive; `nil` for any other link.
    /// - Returns: The destination.
    /// - Throws: ``ShortLinkFault``.
    /// - Complexity: that of resolving and of building a link.
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

    /// Returns the signature that a code stands for: that of the link, else one without an end.
    private func signature(of plan: RoutePlan) -> ShortLinkSignature? {
        guard plan.signature != nil else { return nil }
        return try? ShortLinkDestination.signature(of: plan, by: keys, at: Clock.now(), isGiven: true)
    }
}

/// The reason why a link is no destination of a short link.
enum ShortLinkFault: Error {
    /// The text is no link.
    case syntax(LinkSyntaxError)

    /// The link leads nowhere.
    case failure(ResolutionError, of: DeepLink)

    /// The link leads to a route that no short link leads to.
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
