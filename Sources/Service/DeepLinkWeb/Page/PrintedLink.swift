import DeepLinkCore

/// A resolved link as its page prints it, with its signature and the kept query pairs.
struct PrintedLink {
    /// The canonical https link, or the short link in its place, without unused query pairs.
    let canonical: String

    /// The https link, with the kept query pairs.
    let web: String

    /// The link with the custom scheme of the stack's app on Apple's systems, or `nil` if the app has none.
    let custom: String?

    /// Whether the link is carried through the installation as a deferred deep link.
    let isCarried: Bool

    /// The pairs of the campaign.
    let campaign: [QueryItem]

    /// Prints the link of a plan in every form.
    ///
    /// - Parameters:
    ///   - shown: the canonical https link, or the short link in its place.
    ///   - isShort: whether it is a short link. A link of the custom scheme cannot contain the code, so it is omitted if
    ///     the code replaces a signature.
    ///   - canonical: the canonical https link of the plan, with its signature, or `nil` if its stack has none.
    ///   - plan: the plan.
    ///   - page: the page of its top route.
    ///   - query: the query pairs to keep.
    ///   - catalog: the catalog.
    init(
        _ shown: String,
        isShort: Bool,
        canonical: String?,
        of plan: RoutePlan,
        _ page: RoutePage?,
        query: CarriedQuery,
        in catalog: RouteCatalog
    ) {
        self.canonical = shown
        web = QueryItem.appending(query.kept, to: shown)
        let scheme = isShort && plan.isSigned ? nil : catalog.apps.app(of: plan.app).apple.first?.scheme
        custom = scheme.flatMap { Self.custom(canonical, scheme: $0, of: plan, in: catalog) }
            .map { QueryItem.appending(query.kept, to: $0) }
        isCarried = page?.carries ?? !plan.isSigned
        campaign = query.campaign
    }

    /// Returns the canonical https link of a plan, with its signature, or `nil` if its stack has none.
    static func canonical(_ plan: RoutePlan, in catalog: RouteCatalog) -> String? {
        guard let printed = plan.canonicalLink else { return nil }
        let demand = plan.signature
        if printed.utf8.starts(with: "https://".utf8) { return demand?.signing(printed) ?? printed }
        // After a redirect the canonical link has another scheme.
        guard let link = try? DeepLinkCore.link(to: plan.stack, scheme: "https", catalog: catalog) else { return nil }
        return demand?.signing(link) ?? link
    }

    /// Returns the link of a custom scheme to the same stack: as printed by the catalog, or else the https link with only
    /// the scheme replaced, or `nil` without one.
    private static func custom(
        _ link: String?,
        scheme: String,
        of plan: RoutePlan,
        in catalog: RouteCatalog
    ) -> String? {
        if let printed = try? DeepLinkCore.link(to: plan.stack, scheme: scheme, catalog: catalog) {
            return plan.signature?.signing(printed) ?? printed
        }
        return link.map { scheme + String(Substring($0.utf8.dropFirst("https".utf8.count))) }
    }
}

/// The pairs of a link's query that its page passes on.
struct CarriedQuery {
    /// The maximum length of the percent-encoded pairs, in bytes.
    ///
    /// Pairs that do not fit are omitted.
    private static let maximumByteCount = 1_024

    /// The unused pairs that the catalog keeps, in the order of the link.
    let kept: [QueryItem]

    /// The pairs of the campaign, with keys that begin with `utm_`, in the order of the link.
    let campaign: [QueryItem]

    /// The kept pairs, as links print them.
    var keptText: String { kept.map(\.encoded).joined(separator: "&") }

    /// The pairs of the campaign, as links print them.
    var campaignText: String { campaign.map(\.encoded).joined(separator: "&") }

    /// Selects the pairs of a plan's link.
    init(_ plan: RoutePlan, keeping keys: KeptKeys) {
        kept = Self.bounded(plan.unusedQuery.filter { keys.contains($0.name) })
        campaign = Self.bounded(plan.link.queryItems.filter { $0.name.utf8.starts(with: "utm_".utf8) })
    }

    /// Returns the first pairs that fit.
    private static func bounded(_ items: [QueryItem]) -> [QueryItem] {
        var room = maximumByteCount
        return items.filter { item in
            let count = item.encoded.utf8.count + 1
            guard count <= room else { return false }
            room -= count
            return true
        }
    }
}
