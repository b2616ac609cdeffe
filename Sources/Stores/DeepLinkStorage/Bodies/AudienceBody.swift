package import DeepLinkCore
import DeepLinkFormats

/// The body of `GET /v1/audience`: the number of users by the outcome of a link.
package struct AudienceBody: WireBody {
    /// The link as received.
    private let link: String

    /// The number of stored users.
    package let userCount: Int

    /// The number of users for whom the link opens its destination.
    package let reachedCount: Int

    /// The number of gated users, by the name of the level or grant that the gate gives, in the order of the gates.
    package let gated: [(gate: String, count: Int)]

    /// Counts users by the outcome of a link.
    package init(_ link: DeepLink, audience: LinkAudience, users: AccessCounts) {
        self.link = link.text
        let users = users.permissions(in: audience.catalog)
        userCount = users.values.reduce(0, +)
        let counts = audience.count(users.lazy.map { (permissions: $0.key, count: $0.value) })
        reachedCount = counts.reached
        gated = counts.gated.map { (audience.catalog.text(of: $0.gate), $0.count) }
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("link", link)
            writer.member("users", userCount)
            writer.member("reached", reachedCount)
            writer.member("gated") { writer in
                for (gate, count) in gated { writer.member(gate, count) }
            }
        }
    }
}

/// A line of the response of `POST /v1/audience`: the outcome of a link for one user.
package struct AudienceLine: WireBody {
    private let user: String
    private let outcome: LinkAudience.Outcome
    private let catalog: RouteCatalog

    /// Creates the line of a user with the given permissions and app version.
    package init(_ user: UserID, with permissions: Permissions, app: AppVersion?, in audience: LinkAudience) {
        self.user = user.text
        outcome = audience.outcome(for: permissions, app: app)
        catalog = audience.catalog
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user", user)
            writer.key("outcome")
            switch outcome {
            case .reached: writer.string("reached")
            case .gated(let gate):
                writer.string("gated")
                writer.member("gate", catalog.text(of: gate))
            case .outdated: writer.string("update")
            case .otherApp: writer.string("otherApp")
            }
        }
    }
}
