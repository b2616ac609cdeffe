/// The outcome of the use of a link, as it is counted; that of a link that ended at a gate is the gate's name.
package enum LinkOutcome: String, CaseIterable, Sendable {
    /// The app shows the link's destinations.
    case opened

    /// Of those opened, the ones of an end user's own token.
    case openedByUsers

    /// Of those opened, the ones whose user was at a gate before.
    case passed

    /// Of those opened, the ones that came over the installation of the app.
    case arrived

    /// The link leads the app nowhere.
    case failed

    /// A browser got the page of the link.
    case page

    /// A program that makes previews got the page of the link.
    case preview

    /// A browser was redirected to a fallback.
    case redirected

    /// The place of the outcome in a vector of counts.
    var lane: Int {
        switch self {
        case .opened: 0
        case .openedByUsers: 1
        case .passed: 2
        case .arrived: 3
        case .failed: 4
        case .page: 5
        case .preview: 6
        case .redirected: 7
        }
    }
}
