/// A store's finding about a code.
package enum ShortLinkLookup: Hashable, Sendable {
    /// The link that counts, withdrawn and ended ones included; `nil` within for a code that no link has.
    case current(ShortLink?)

    /// The link that counted once, and may have been changed: the database is out of reach.
    case stale(ShortLink?)

    /// The link; `nil` for a code that no link has.
    package var link: ShortLink? {
        switch self {
        case .current(let link), .stale(let link): link
        }
    }
}
