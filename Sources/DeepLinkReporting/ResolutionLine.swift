import DeepLinkComparison
import DeepLinkCore
import DeepLinkFormats

/// The writer of the lines of the resolution log: no value of a link, no user, no token.
///
/// Links that lead somewhere are written as one that leads to the same destinations, with the plainest value for each
/// parameter; so they replay. Printing is remembered by the edges and the parameters that have a value: most links are
/// alike but for their values.
package struct ResolutionLine {
    /// All that decides the printed link.
    private struct Shape: Hashable {
        let edges: [Int]
        let present: [Int]
        let scheme: ByteText
    }

    /// The most links that are remembered.
    private static let maximumCount = 10_000

    private var catalog: RouteCatalog?
    private var words: CatalogWords?
    private var links: [Shape: String] = [:]

    /// Begins with nothing remembered.
    package init() {}

    /// Writes the line of an event, with its line feed.
    package mutating func json(_ event: ResolutionEvent) -> [UInt8] {
        remember(event.catalog)
        var writer = JSONWriter()
        writer.object { writer in
            func member(_ name: String, _ text: String?) {
                guard let text else { return }
                writer.key(name)
                writer.string(text)
            }
            member("time", event.time.rfc3339)
            switch event.outcome {
            case .plan(let plan):
                member("link", link(of: plan))
                member("mode", event.request.mode.rawValue)
                member("outcome", "resolved")
                member("route", plan.edgeNumbers.last.map { plan.catalog.routes[plan.catalog.edges[$0].child].name })
                member("requiredLevel", plan.requiredLevel.name)
                member("userLevel", plan.userLevel.name)
            case .denial(let denial):
                member("link", link(of: event))
                member("mode", event.request.mode.rawValue)
                member("outcome", "gated")
                member("route", denial.route)
                member("requiredLevel", denial.requiredLevel.name)
                member("userLevel", denial.userLevel.name)
                member("gate", denial.gate?.level.name)
            case .failure(let code):
                member("link", link(of: event))
                member("mode", event.request.mode.rawValue)
                member("outcome", code)
            }
            member("catalogVersion", event.catalog.version)
            member("requestId", event.requestID.isEmpty ? nil : event.requestID)
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private mutating func remember(_ catalog: RouteCatalog) {
        guard self.catalog !== catalog else { return }
        self.catalog = catalog
        words = nil
        links = [:]
    }

    /// Writes the link of an event that has no plan: as one that leads there, where somebody may go there.
    private mutating func link(of event: ResolutionEvent) -> String {
        let leadsSomewhere =
            switch event.outcome {
            case .plan, .denial: true
            case .failure(let code): code.bytewise == ProblemCode.appUpdateRequired.rawValue.bytewise
            }
        if leadsSomewhere,
            case .plan(let plan) = resolve(
                event.request.asked(by: nil),
                userLevel: .premiumUser,
                catalog: event.catalog
            )
        {
            return link(of: plan)
        }
        return masked(event.request.link, event.catalog)
    }

    private mutating func link(of plan: RoutePlan) -> String {
        let edges = plan.edgeNumbers
        var present: [Int] = []
        for (edge, destination) in zip(edges, plan.stack) {
            for (index, parameter) in plan.catalog.edges[edge].parameters.enumerated()
            where destination.parameters.contains(where: { $0.name.bytewise == parameter.name.bytewise }) {
                present.append(index)
            }
            present.append(-1)
        }
        let shape = Shape(edges: edges, present: present, scheme: plan.link.scheme.bytewise)
        if let known = links[shape] { return known }
        let link = ReplayableLink.of(plan) ?? masked(plan.link, plan.catalog)
        if links.count >= Self.maximumCount { links = [:] }
        links[shape] = link
        return link
    }

    private mutating func masked(_ link: DeepLink, _ catalog: RouteCatalog) -> String {
        let words = words ?? CatalogWords(catalog)
        self.words = words
        return words.masked(link).string
    }
}
