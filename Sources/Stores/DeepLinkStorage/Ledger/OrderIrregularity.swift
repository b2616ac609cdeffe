package import DeepLinkCore

/// A moment that is out of order, reported to operators.
package enum OrderIrregularity: Hashable, Sendable {
    /// A stored moment too far ahead of the clock; it counts as the present (`ChangeOrder`).
    case ahead(stored: Timestamp, now: Timestamp)

    /// A dated change that was left out, since the stored record counts as of a later moment.
    case late(asOf: Timestamp, stored: Timestamp)
}
