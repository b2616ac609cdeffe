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

    /// The users who are gated, by the level of the gate, the lowest first.
    package let gated: [(level: AuthorizationLevel, count: Int)]

    /// Counts users by the outcome of a link.
    package init(_ link: DeepLink, audience: LinkAudience, users: LevelCounts) {
        self.link = link.text
        userCount = users.total
        (reachedCount, gated) = audience.count(users)
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
                    writer.key(level.name)
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

    /// Creates the line of a user.
    package init(_ user: UserID, outcome: LinkAudience.Outcome) {
        self.user = user.text
        self.outcome = outcome
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
                writer.string(level.name)
            case .outdated: writer.string("update")
            }
        }
    }
}
