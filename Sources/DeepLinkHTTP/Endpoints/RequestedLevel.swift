import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkUsers

/// The level that a request names instead of a user, to get the result of any user of that level.
enum RequestedLevel {
    /// Reads a level's name; `nil` if none is given.
    ///
    /// - Throws: `Problem` if the name isn't a level's, a user is named beside it, or the caller acts for one user
    ///   only.
    static func level(
        _ name: String?,
        insteadOf user: UserID?,
        by caller: Caller
    ) throws(Problem) -> AuthorizationLevel? {
        guard let name else { return nil }
        switch caller {
        case .anyone, .service: break
        case .endUser: throw .insufficientScope(.resolver, "A user's own token resolves as that user, not for a level.")
        case .anonymous: throw .credentialsNeeded
        }
        guard let level = AuthorizationLevel(name: name) else {
            let names = AuthorizationLevel.allCases.map { "`\($0.name)`" }.joined(separator: ", ")
            throw .invalidRequest(field: "level", .invalidValue, "`\(name)` isn't a level; levels are \(names).")
        }
        guard user == nil else {
            throw .invalidRequest(
                field: "level",
                .conflict,
                "`level` stands instead of a user; name a level or a user, not both."
            )
        }
        return level
    }
}
