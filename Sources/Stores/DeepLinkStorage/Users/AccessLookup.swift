/// A store's finding about a user's access.
package enum AccessLookup: Hashable, Sendable {
    /// The access that counts; `nil` within for a user without a state.
    case current(UserAccess?)

    /// Access that counted once, and may have been replaced: the database is out of reach.
    case stale(UserAccess?)

    /// The user has not come to the version that was asked for; the version there is, 0 for a user never set.
    case behind(version: Int)

    /// Finds out whether a version is reached.
    ///
    /// - Parameters:
    ///   - access: the level and the grants in the store now.
    ///   - version: the user's version, a deletion's also; 0 for a user never set.
    ///   - wanted: the requested version; 0 for any.
    package init(_ access: UserAccess?, version: Int, wanted: Int) {
        self = version >= wanted ? .current(access) : .behind(version: version)
    }
}
