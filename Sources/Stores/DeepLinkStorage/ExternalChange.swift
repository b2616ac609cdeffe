import DeepLinkCore

/// A change of stored users by another process, or by another store on the same database.
package enum ExternalChange: Hashable, Sendable {
    /// A change of these users, each listed once.
    case users([UserID])

    /// A change of possibly all users. The history doesn't name them, as after a manual change, or goes back, as after
    /// a restored backup.
    case everything
}

/// An observer of external changes.
///
/// It gets each change once, in order, before any later change of this store is on disk. Its methods must be short, and
/// must not call the store.
package protocol ExternalChangeObserver: Sendable {
    /// Records a change.
    func note(_ change: ExternalChange)

    /// Records that all changes up to a time were found and reported.
    func confirm(asOf instant: MonotonicInstant)
}
