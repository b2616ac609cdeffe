package import DeepLinkCore
package import DeepLinkUsers

/// The body of `GET /v1/audience`: how many users a link takes where.
package struct AudienceBody: WireBody {
    /// The link as received.
    private let link: String

    /// All users that are stored.
    package let userCount: Int

    /// Those who get where the link leads.
    package let reachedCount: Int

    /// Those who stop at the gate of a level, the lowest first.
    package let gated: [(level: AuthorizationLevel, count: Int)]

    /// Counts users by where a link takes them.
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

/// A line of the answer of `POST /v1/audience`: where a link takes one user.
package struct AudienceLine: WireBody {
    private let user: String
    private let outcome: LinkAudience.Outcome

    /// Tells where a user comes.
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
            case .reached: writer.string("lands")
            case .gated(let level):
                writer.string("gated")
                writer.key("gate")
                writer.string(level.name)
            case .outdated: writer.string("update")
            }
        }
    }
}
