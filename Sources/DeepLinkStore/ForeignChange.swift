package import DeepLinkCore

/// Says what another process, or another store on the same file, has changed.
package enum ForeignChange: Hashable, Sendable {
    /// The states of these users, each named once.
    case users([UserID])

    /// Possibly all: the history does not tell, as after a change by hand, or goes back, as after a restored backup.
    case everything
}
