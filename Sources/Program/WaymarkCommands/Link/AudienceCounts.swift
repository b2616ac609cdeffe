import DeepLinkCore
import DeepLinkFormats

/// The users of a list, counted by the outcomes of their links.
struct AudienceCounts: WireBody {
    private let catalog: RouteCatalog

    /// The link of users without their own, or `nil` if each user has one.
    private let link: (text: String, audience: LinkAudience)?

    /// The number of users in the list.
    private(set) var userCount = 0

    /// The number of users that reach the destination of their link.
    private(set) var reachedCount = 0

    /// The number of users with a link that cannot be resolved, at any level.
    private(set) var failedCount = 0

    private var counts: [Attainment: Int] = [:]

    /// Creates an empty tally.
    init(_ link: (text: String, audience: LinkAudience)?, catalog: RouteCatalog) {
        self.link = link
        self.catalog = catalog
    }

    /// Counts a user with some permissions, and either the user's own link or the common one.
    mutating func note(_ permissions: Permissions, link own: String?) {
        userCount += 1
        guard let audience = own.map({ audience(of: $0) }) ?? link?.audience else {
            failedCount += 1
            return
        }
        switch audience.outcome(for: permissions) {
        case .reached: reachedCount += 1
        case .gated(let gate): counts[gate, default: 0] += 1
        case .otherApp, .outdated: break
        }
    }

    private func audience(of link: String) -> LinkAudience? {
        let rootless = catalog.rootlessSchemes
        guard let request = try? ResolutionRequest(link: Array(link.utf8), mode: .replace, rootless: rootless) else {
            return nil
        }
        return try? LinkAudience(of: request, catalog: catalog)
    }

    /// The number of gated users by the name that the gate gives: for one common link, of all its gates, otherwise of
    /// gates with users.
    var gated: [(gate: String, count: Int)] {
        let gates = catalog.gatesInOrder.map(\.gives)
        return gates.filter { counts[$0] != nil || link?.audience.gates.contains($0) == true }
            .map { (catalog.text(of: $0), counts[$0] ?? 0) }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            if let link { writer.member("link", link.text) }
            writer.member("users", userCount)
            writer.member("reached", reachedCount)
            writer.member("gated") { writer in
                for (gate, count) in gated { writer.member(gate, count) }
            }
            writer.member("failed", failedCount)
        }
    }
}
