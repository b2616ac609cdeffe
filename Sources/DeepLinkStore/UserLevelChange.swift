import DeepLinkCore

/// Says what a change leaves behind that decides a user's level.
struct UserLevelChange: Sendable {
    let user: UserID

    /// What counts from now on; `nil` where the user has no state any more.
    let grant: LevelGrant?
}
