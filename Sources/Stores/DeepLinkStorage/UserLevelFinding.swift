import DeepLinkCore

/// The result of a look-up in a ``UserLevelCache``.
package enum UserLevelFinding {
    /// The user's access; the associated value is `nil` for a user without a state.
    case known(UserAccess?)

    /// No entry; the access may be cached with the ticket once it is read.
    case mustLoad(UserLevelTicket)
}

/// A proof that a user was read while no change was under way, if none has begun since.
package struct UserLevelTicket: Sendable {
    let hash: Int
    let changeCount: UInt32
}
