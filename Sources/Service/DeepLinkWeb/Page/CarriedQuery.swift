import DeepLinkCore

/// The pairs of a link's query that go on from its page.
struct CarriedQuery {
    /// The most bytes of the pairs, percent-encoded; those that do not fit are left out.
    private static let maximumByteCount = 1_024

    /// The unused pairs that the catalog keeps, in the order of the link.
    let kept: [QueryItem]

    /// The pairs of the campaign, in the order of the link: those whose key begins with `utm_`.
    let campaign: [QueryItem]

    /// The pairs that are kept, as links print them.
    var keptText: String { kept.map(\.encoded).joined(separator: "&") }

    /// The pairs of the campaign, as links print them.
    var campaignText: String { campaign.map(\.encoded).joined(separator: "&") }

    /// Picks the pairs of a plan's link.
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
