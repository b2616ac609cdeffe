import DeepLinkAuthentication
package import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
package import DeepLinkStorage

/// The short links of a store, for the endpoints that follow, create and read them.
package final class ShortLinkService: Sendable {
    let store: any ShortLinkStore

    /// The maximum number of links that an end user may create in a day, or 0 for none.
    let maximumPerUser: Int

    /// The log for failures of the store in the middle of a response.
    let failures: FailureLog

    /// Returns the current time.
    let now: @Sendable () -> Timestamp

    /// Creates the service for a store.
    package init(
        store: any ShortLinkStore,
        maximumPerUser: Int = 0,
        failures: FailureLog = FailureLog(),
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.maximumPerUser = maximumPerUser
        self.failures = failures
        self.now = now
    }

    /// Follows the code in a link.
    ///
    /// - Throws: `Problem` of code `unknown-short-link`, that of a broken link, or that of a store which fails.
    func followed(
        _ place: ShortLinkPlace,
        by caller: Caller,
        in catalog: RouteCatalog
    ) throws(Problem) -> Answer<ResolvedShortLink> {
        guard let code = place.shortLinkCode else { throw .unknownShortLink() }
        let lookup: Answer<ShortLinkLookupResult>
        do {
            lookup = try store.link(for: code)
        } catch {
            throw .userStateUnavailable(error)
        }
        switch lookup {
        case .ready(let found): return .ready(try follow(found, by: caller, in: catalog))
        case .waiting(let wait):
            return .waiting { [self] in
                do { return try follow(try await wait(), by: caller, in: catalog) } catch {
                    throw Problem.ofWait(error)
                }
            }
        }
    }

    /// Returns the mark by which uses of a code without a target are counted.
    ///
    /// `nil` means that no such link is known, or that the store must be waited for.
    func cachedMark(_ place: ShortLinkPlace) -> ShortLinkCountKey? {
        guard let code = place.shortLinkCode, case .ready(let lookup)? = try? store.link(for: code) else { return nil }
        return lookup.link.map { ShortLinkCountKey($0) }
    }

    /// Returns whether a followed link is unchanged and has not expired.
    func isCurrent(_ followed: ResolvedShortLink) -> Bool {
        guard case .ready(.current(let link?))? = try? store.link(for: followed.link.code) else { return false }
        return link.version == followed.link.version && !link.contents.hasExpired(at: now())
    }

    private func follow(
        _ lookup: ShortLinkLookupResult,
        by caller: Caller,
        in catalog: RouteCatalog
    ) throws(Problem) -> ResolvedShortLink {
        guard let link = lookup.link else { throw .unknownShortLink() }
        let isStale = if case .stale = lookup { true } else { false }
        let state = ShortLinkState(of: link.contents, at: now(), in: catalog)
        switch state {
        case .working(let target): return ResolvedShortLink(link, to: target, isStale: isStale)
        case .broken(let problem): throw problem
        case .expired, .withdrawn: throw .unknownShortLink(state: caller.publishes ? state.name : nil)
        }
    }

    /// Reads short links.
    ///
    /// - Throws: `Problem` with the code `user-state-unavailable`, for every error of the store.
    func reading<Result>(_ body: (any ShortLinkStore) async throws -> Result) async throws(Problem) -> Result {
        do {
            return try await body(store)
        } catch {
            throw .userStateUnavailable(error)
        }
    }
}

extension ShortLinkPlace {
    /// The code, or `nil` if the text is not a valid code.
    var shortLinkCode: ShortLinkCode? { code.flatMap { ShortLinkCode($0) } }
}

extension Caller {
    /// Whether the caller creates short links for others, and may see why a code does not resolve.
    var publishes: Bool {
        switch self {
        case .anyone, .service(_, .admin), .service(_, .publisher): true
        case .person(let person): person.roles.contains(.publisher) || isAdmin
        case .service, .granter, .endUser, .anonymous: false
        }
    }

    /// Whether the caller is an end user, by that user's own token.
    var isEndUser: Bool { if case .endUser = self { true } else { false } }

    /// Whether the caller may do everything.
    var isAdmin: Bool {
        switch self {
        case .anyone, .service(_, .admin): true
        case .person(let person): person.roles.contains(.admin)
        case .service, .granter, .endUser, .anonymous: false
        }
    }
}

/// A short link that resolves by a catalog.
///
/// It is a class, since each cached answer refers to it.
final class ResolvedShortLink: Sendable {
    /// The link as stored.
    let link: ShortLink

    /// The link that is resolved in its place.
    let target: LinkTarget

    /// Whether the link may be out of date, because the database is unreachable.
    let isStale: Bool

    /// The key by which uses of the link are counted.
    let mark: ShortLinkCountKey

    /// Follows a link to a target.
    init(_ link: ShortLink, to target: DeepLink, isStale: Bool) {
        self.link = link
        self.target = LinkTarget(target, isSigned: link.contents.signature != nil)
        self.isStale = isStale
        mark = ShortLinkCountKey(link)
    }
}

extension ShortLinkCountKey {
    /// Creates the key of a stored link.
    init(_ link: ShortLink) {
        self.init(code: link.code.text, label: link.contents.label?.text, isAboutUser: link.contents.about != nil)
    }
}
