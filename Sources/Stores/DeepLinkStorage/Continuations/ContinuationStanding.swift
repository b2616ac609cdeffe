/// The state of a continuation for a user who redeems it.
package enum ContinuationStanding: Hashable, Sendable {
    /// It is this user's, and not yet granted.
    case open

    /// It is this user's, and was granted before.
    case granted

    /// It is another user's, and was granted.
    case spent

    /// Another user redeemed it first.
    case otherUser

    /// It has expired before, and its record may be forgotten, even if the clock has gone back since.
    case expired
}
