/// The origin of a short link's code, which says how it is found; the raw values are stored.
package enum ShortLinkKind: Int, CaseIterable, Sendable {
    /// Drawn by the server: found without case, and with `o`, `i` and `l` for `0` and `1`.
    case drawn = 0

    /// Given by its maker: found without case.
    case given = 1

    /// Brought from another service: found as written alone, so that two may differ in case.
    case imported = 2

    /// Returns whether a link of this kind is found under a code as somebody wrote it.
    ///
    /// - Parameters:
    ///   - code: The code of the link.
    ///   - written: The code as written.
    /// - Returns: Whether it is found.
    package func finds(_ code: ShortLinkCode, as written: ShortLinkCode) -> Bool {
        switch self {
        case .drawn: code == written.folded || code == written.spelledByServer
        case .given: code.folded == written.folded
        case .imported: code == written
        }
    }
}
