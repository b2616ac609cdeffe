import DeepLinkCore
import HTTPTypes

/// The level that counts for a request, and what is known of it.
struct UserLevel {
    /// The level.
    let level: AuthorizationLevel

    /// What gives it; `nil` where that goes without saying.
    let source: LevelSource?

    /// Whether it may have changed since it was read: the database is out of reach.
    let isStale: Bool

    /// The level of nobody.
    static let nobody = UserLevel(level: .none, source: nil, isStale: false)

    /// The fields of an answer from a level that may have changed.
    static let staleFields: HTTPFields = {
        var fields = HTTPFields()
        if let name = HTTPField.Name("Warning") { fields[name] = "110 waymark \"Response is Stale\"" }
        return fields
    }()
}
