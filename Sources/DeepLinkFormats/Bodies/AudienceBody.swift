package import DeepLinkCore
package import DeepLinkUsers

/// The body of `GET /v1/audience`: the number of users by the outcome of a link.
package struct AudienceBody: WireBody {
    /// The link as received.
    private let link: String

    /// All users that are stored.
    package let userCount: Int

    /// The users who reach the destination.
    package let reachedCount: Int

    /// The users who are gated, by the name of the gate's level, the lowest first.
    package let gated: [(level: String, count: Int)]

    /// Counts users by the outcome of a link.
    package init(_ link: DeepLink, audience: LinkAudience, users: AccessCounts) {
        self.link = link.text
        let users = users.levels(in: audience.levels)
        userCount = users.total
        let counts = audience.count(users)
        reachedCount = counts.reached
        gated = counts.gated.map { (audience.levels.text(of: $0.level), $0.count) }
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("link")
            writer.string(link)
            writer.key("users")
            writer.number(userCount)
            writer.key("reached")
            writer.number(reachedCount)
            writer.key("gated")
            writer.object { writer in
                for (level, count) in gated {
                    writer.key(level)
                    writer.number(count)
                }
            }
        }
    }
}

/// A line of the answer of `POST /v1/audience`: the outcome of a link for one user.
package struct AudienceLine: WireBody {
    private let user: String
    private let outcome: LinkAudience.Outcome
    private let levels: LevelLadder

    /// Creates the line of a user at a level, with an app.
    package init(_ user: UserID, at level: AuthorizationLevel, app: AppVersion?, in audience: LinkAudience) {
        self.user = user.text
        outcome = audience.outcome(for: level, app: app)
        levels = audience.levels
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("user")
            writer.string(user)
            writer.key("outcome")
            switch outcome {
            case .reached: writer.string("reached")
            case .gated(let level):
                writer.string("gated")
                writer.key("gate")
                writer.string(levels.text(of: level))
            case .outdated: writer.string("update")
            }
        }
    }
}
