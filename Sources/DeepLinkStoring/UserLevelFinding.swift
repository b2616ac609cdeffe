package import DeepLinkCore

/// What a ``UserLevelCache`` has at hand of a user.
package enum UserLevelFinding {
    /// The user's grant; `nil` within for a user without a state.
    case known(LevelGrant?)

    /// Nothing; what is loaded now may be remembered with the ticket.
    case mustLoad(UserLevelTicket)
}

/// A proof that a user was loaded at a time when no change was under way, if none has begun since.
package struct UserLevelTicket: Sendable {
    let hash: Int
    let changeCount: UInt32
}
