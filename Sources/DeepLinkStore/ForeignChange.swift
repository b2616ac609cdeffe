package import DeepLinkCore

/// Says what another process, or another store on the same file, has changed.
package enum ForeignChange: Hashable, Sendable {
    /// The states of these users, each named once.
    case users([UserID])

    /// Possibly all: the history no longer goes on from where it was, as after a restored backup.
    case everything
}
