import DeepLinkCore

/// A change of stored users made by others: another process, or another store on the same database.
package enum ExternalChange: Hashable, Sendable {
    /// A change of these users, each named once.
    case users([UserID])

    /// A change of possibly all users: the history doesn't name them, as after a change by hand, or goes back, as after
    /// a restored backup.
    case everything
}

/// An observer of changes made by others.
///
/// It gets each change once, in order, before any later change of this store is on disk. Its methods must be short, and
/// must not call the store.
package protocol ExternalChangeObserver: Sendable {
    /// Records a change.
    func note(_ change: ExternalChange)

    /// Records that all changes up to a moment were found and reported.
    func confirm(asOf moment: Moment)
}
