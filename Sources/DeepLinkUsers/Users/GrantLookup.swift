/// A store's finding about a user's grant.
package enum GrantLookup: Hashable, Sendable {
    /// The grant that counts; `nil` within for a user without a state.
    case current(LevelGrant?)

    /// A grant that counted once, and may have been replaced: the database is out of reach.
    case stale(LevelGrant?)

    /// The user has not come to the version that was asked for; the version there is, 0 for a user never set.
    case behind(version: Int)

    /// Finds out whether a version is reached.
    ///
    /// - Parameters:
    ///   - grant: the grant in the store now.
    ///   - version: the user's version, a deletion's also; 0 for a user never set.
    ///   - wanted: the requested version; 0 for any.
    package init(_ grant: LevelGrant?, version: Int, wanted: Int) {
        self = version >= wanted ? .current(grant) : .behind(version: version)
    }
}
