import DeepLinkCore
package import DeepLinkFormats

/// The callers that an endpoint is for.
package enum Access: CaseIterable, Sendable {
    /// Everyone, without credentials: the answer is the same for all.
    case everyone

    /// Whoever may resolve: both roles, and end users as themselves.
    case resolving

    /// Services of either role.
    case services

    /// Admins alone.
    case administration

    /// Requires a caller to be one of those.
    ///
    /// - Throws: `Problem` of code `insufficient-scope`, naming the least role that would do.
    package func check(_ caller: Caller) throws(Problem) {
        switch (self, caller) {
        case (.everyone, _), (_, .anyone), (_, .service(_, .admin)), (.resolving, _), (.services, .service): return
        case (.services, .endUser): throw .insufficientScope(.resolver, "A user's own token resolves links, no more.")
        case (.administration, _): throw .insufficientScope(.admin, "Only the role admin reads and writes users.")
        }
    }
}
