import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats

/// The rule for the `Host` of a request, so that a page whose own host name was made to resolve to this server reaches
/// nothing (DNS rebinding).
struct HostPolicy {
    private let catalog: RouteCatalog

    /// Whether callers are not authenticated, so that only the host check is between a web page and the API.
    private let callersAreUnknown: Bool

    /// Whether the API is open to everyone who can connect (`--insecure-no-auth`).
    private let isInsecure: Bool

    /// Whether a loopback name or an IP address is treated as the first https origin.
    private let answersLocalHosts: Bool

    init(_ settings: HostSettings, catalog: RouteCatalog) {
        self.catalog = catalog
        callersAreUnknown = settings.authentication.isOpen
        isInsecure = settings.isInsecure
        answersLocalHosts = settings.answersLocalHosts
    }

    private var origins: [Origin] { catalog.origins.filter { $0.scheme.bytewise == "https" } }

    /// Requires a host by which the API is reachable without credentials: one that no other machine can have; on an
    /// insecure server also an origin's, any address, and a name without a dot, which strangers hardly ever own.
    func check(_ authority: String) throws(Problem) {
        guard callersAreUnknown else { return }
        let host = HostName(authority: authority)
        guard isInsecure else {
            guard host?.isLoopback == true else { throw notLoopback(authority) }
            return
        }
        guard host?.isLocal == true || host?.isSingleLabel == true || isOrigin(authority) else {
            throw misdirected(authority)
        }
    }

    /// Returns the host of the web link that a path under an authority is, for a read or any other method: the
    /// authority's own host if an https origin has it, otherwise possibly the first origin's; `nil` if the catalog has
    /// no https origin, and so no web links.
    func linkHost(for authority: String, isRead: Bool) throws(Problem) -> String? {
        let isClosedToOthers = callersAreUnknown && !isInsecure
        guard !origins.isEmpty, isRead || !isClosedToOthers else {
            if isClosedToOthers { try check(authority) }
            return nil
        }
        if isOrigin(authority) { return authority.lowercased() }
        let host = HostName(authority: authority)
        guard answersLocalHosts, isClosedToOthers ? host?.isLoopback == true : host?.isLocal == true else {
            throw misdirected(authority)
        }
        // A host with a `*` can't be the host of a link.
        return origins.lazy.flatMap(\.hosts).first { $0.utf8.first != UInt8(ascii: "*") }
    }

    /// Returns whether an authority belongs to an https origin.
    func isOrigin(_ authority: String) -> Bool {
        guard let link = try? DeepLink("https://\(authority)/") else { return false }
        return catalog.includesAuthority(of: link)
    }

    private func notLoopback(_ authority: String) -> Problem {
        Problem(
            .misdirectedRequest,
            "This server has no credentials, and answers only as `localhost` or a loopback address, not as `\(authority)`; "
                + "make a token with `waymark token create` to reach it by any host."
        )
    }

    private func misdirected(_ authority: String) -> Problem {
        let known = origins.flatMap(\.hosts).joined(separator: ", ")
        return Problem(
            .misdirectedRequest,
            "This server does not answer for the host `\(authority)`; the hosts of its catalog are: \(known)."
        )
    }
}
