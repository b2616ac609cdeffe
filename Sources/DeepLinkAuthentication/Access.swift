import DeepLinkCore
package import DeepLinkFormats

/// The callers that an endpoint is for.
package enum Access: CaseIterable, Sendable {
    /// Everyone, without credentials: the answer is the same for all.
    case everyone

    /// Whoever may resolve, and where the server is told so, callers without credentials, as nobody.
    case resolvingLinks

    /// Whoever may resolve and name a user: both roles, and end users as themselves.
    case resolving

    /// Services that resolve or do everything.
    case services

    /// Services that look after the server, and admins.
    case monitoring

    /// Admins alone.
    case administration

    /// Requires a caller to be one of those.
    ///
    /// - Throws: `Problem` of code `insufficient-scope`, naming the least role that would do; `authentication-required`
    ///   for who has no credentials.
    package func check(_ caller: Caller) throws(Problem) {
        switch (self, caller) {
        case (.everyone, _), (_, .anyone), (_, .service(_, .admin)): return
        case (.monitoring, .service(_, .monitor)): return
        case (.monitoring, .anonymous): throw .credentialsNeeded
        case (.monitoring, _):
            throw .insufficientScope(.monitor, "Metrics and the report are for the roles monitor and admin.")
        case (_, .service(_, .monitor)):
            throw .insufficientScope(.resolver, "The role monitor reads metrics and the report, no more.")
        case (.resolvingLinks, _): return
        case (_, .anonymous): throw .credentialsNeeded
        case (.resolving, _), (.services, .service): return
        case (.services, .endUser): throw .insufficientScope(.resolver, "A user's own token resolves links, no more.")
        case (.administration, _): throw .insufficientScope(.admin, "Only the role admin reads and writes users.")
        }
    }
}
