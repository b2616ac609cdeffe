import DeepLinkCore
import HTTPTypes

/// The level in effect for a request, with its source and freshness.
struct UserLevel {
    /// The level.
    let level: AuthorizationLevel

    /// The source of the level; `nil` without an end user's token.
    let source: LevelSource?

    /// Whether the level may be out of date: the database is unreachable.
    let isStale: Bool

    /// The level of requests without a user.
    static let nobody = UserLevel(level: .none, source: nil, isStale: false)

    /// The fields of an answer from a level that may be out of date.
    static let staleFields: HTTPFields = {
        var fields = HTTPFields()
        if let name = HTTPField.Name("Warning") { fields[name] = "110 waymark \"Response is Stale\"" }
        return fields
    }()
}
