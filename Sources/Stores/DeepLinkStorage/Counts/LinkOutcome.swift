/// The counted outcome of a use of a link.
///
/// For a link that ended at a gate, the outcome is the gate's name instead.
package enum LinkOutcome: String, CaseIterable, Sendable {
    /// The app shows the link's destinations.
    case opened

    /// The opened links that an end user resolved with their own token.
    case openedByUsers

    /// The opened links whose user was at a gate before.
    case passed

    /// The opened links that were deferred deep links, carried over the installation of the app.
    case arrived

    /// The link did not resolve.
    case failed

    /// A browser got the page of the link.
    case page

    /// A preview crawler got the page of the link.
    case preview

    /// A browser was redirected to a fallback.
    case redirected

    /// The index of the outcome in a vector of counts.
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
