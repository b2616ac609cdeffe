package import DeepLinkCore

/// A change that others have made to the stored users: another process, or another store on the same database.
package enum ExternalChange: Hashable, Sendable {
    /// One of the states of these users, each named once.
    case users([UserID])

    /// One of possibly all: the history does not tell, as after a change by hand, or goes back, as after a restored
    /// backup.
    case everything
}

/// Somebody who is told of changes that others make, each once.
///
/// The calls come in the order of the changes, before any later change of this store is on disk. They must be short, and
/// must not call the store.
package protocol ExternalChangeObserver: Sendable {
    /// Takes note of a change.
    func note(_ change: ExternalChange)

    /// Takes note that all changes up to a moment were found, and told of.
    func confirm(asOf moment: Moment)
}
